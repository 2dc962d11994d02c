import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type LinkOf<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { readonly ref?: Ref<HTMLAnchorElement> };

/** A page of the dashboard, as a link in a text. */
export const TextLink = createLink((props: LinkOf<AnchorProps>) => <Anchor underline="hover" {...props} />);

/** A page of the dashboard, as a button. */
export const ButtonLink = createLink((props: LinkOf<ButtonProps>) => <Button component="a" {...props} />);

/** Another site, or what is no page of the dashboard, in a tab of its own that cannot reach back. */
export function OutLink({ href, children, ...rest }: LinkOf<AnchorProps> & { readonly href: string }) {
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" underline="hover" {...rest}>
      {children}
    </Anchor>
  );
}

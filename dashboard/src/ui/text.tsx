import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type LinkProps<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { readonly ref?: Ref<HTMLAnchorElement> };

/** A page of the dashboard, as a link in a text. */
export const TextLink = createLink((props: LinkProps<AnchorProps>) => (
  <Anchor underline="hover" {...props} />
));

/** A page of the dashboard, as a button. */
export const ButtonLink = createLink((props: LinkProps<ButtonProps>) => <Button component="a" {...props} />);

/** Another site, or what is no page of the dashboard, in a tab of its own that cannot reach back. */
export function ExternalLink({
  href,
  children,
  ...rest
}: LinkProps<AnchorProps> & { readonly href: string }) {
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" underline="hover" {...rest}>
      {children}
    </Anchor>
  );
}

/** A sentence of the description; what stands in backticks is code. */
export function MarkedText({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence do not move
      <code key={index} className="mono">
        {part}
      </code>
    ),
  );
}

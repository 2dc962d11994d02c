import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type LinkProps<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { readonly ref?: Ref<HTMLAnchorElement> };

/** A link in a text to a page of the dashboard. */
export const TextLink = createLink((props: LinkProps<AnchorProps>) => (
  <Anchor underline="hover" {...props} />
));

/** A button that links to a page of the dashboard. */
export const ButtonLink = createLink((props: LinkProps<ButtonProps>) => <Button component="a" {...props} />);

/** A link to another site, or outside the dashboard. It opens in a new tab without access to this page. */
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

/** A text of the OpenAPI description, in which backticks mark code. */
export function MarkedText({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
      <code key={index} className="mono">
        {part}
      </code>
    ),
  );
}

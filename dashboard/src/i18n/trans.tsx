import { Trans as LinguiTrans, type TransProps } from '@lingui/react';
import { createElement, Fragment } from 'react';

/**
 * The component that the macro `Trans` becomes. Lingui puts texts into the translation and then looks for elements in it, so a
 * value such as `<0>` from a page would be taken for one. As an element, a value is shown as it is.
 */
export function Trans({ values = {}, ...props }: TransProps) {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' && value.includes('<') ? createElement(Fragment, null, value) : value,
  ]);
  return <LinguiTrans {...props} values={Object.fromEntries(shown)} />;
}

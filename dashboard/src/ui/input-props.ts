/** For names, URLs and selectors: the browser neither completes nor corrects them. */
export const VERBATIM = { autoComplete: 'off', spellCheck: false } as const;

/** For an area of code, which grows with its text. */
export const CODE_AREA = { ...VERBATIM, classNames: { input: 'mono' }, autosize: true } as const;

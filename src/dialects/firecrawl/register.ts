import type { RegisterDialect } from '../dialect.ts';

export const registerFirecrawl: RegisterDialect = () => {};

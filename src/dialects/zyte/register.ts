import type { RegisterDialect } from '../dialect.ts';

export const registerZyte: RegisterDialect = () => {};

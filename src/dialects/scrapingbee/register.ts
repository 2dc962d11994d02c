import type { RegisterDialect } from '../dialect.ts';

export const registerScrapingBee: RegisterDialect = () => {};

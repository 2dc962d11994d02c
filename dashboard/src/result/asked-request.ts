/** A request as it was sent or kept: whatever fits the schema of a request; undefined when it was not kept. */
export type AskedRequest = Readonly<Record<string, unknown>> | undefined;

export const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asksForScreenshot = (request: AskedRequest): boolean => request?.screenshot === true;

/** The page actions as they were asked for. */
export const askedActions = (request: AskedRequest): readonly unknown[] =>
  Array.isArray(request?.page_actions) ? request.page_actions : [];

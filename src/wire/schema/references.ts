/** A reference to a component of the OpenAPI document. */
export const componentReference = (title: string) => ({ $ref: `#/components/schemas/${title}` });

/**
 * The title of a schema, which is the name of its component. `properties` may have a member `title`, which is an object
 * and not a title.
 */
export function componentName(schema: object): string | null {
  const { title } = schema as { readonly title?: unknown };
  return typeof title === 'string' ? title : null;
}

/** A copy of the schema in which `refer` replaces every schema with a title. */
export function withReferences(schema: unknown, refer: (title: string) => unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withReferences(item, refer));
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = componentName(schema);
  return name === null ? membersWithReferences(schema, refer) : refer(name);
}

/** Like `withReferences`, but the outermost schema is not replaced: it loses its title. */
export function membersWithReferences(schema: object, refer: (title: string) => unknown): object {
  const members = Object.entries(schema).filter(
    ([name, value]) => name !== 'title' || typeof value !== 'string',
  );
  return Object.fromEntries(members.map(([name, value]) => [name, withReferences(value, refer)]));
}

import { queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { useChange } from './queries.ts';

export type Template = Schema<'Template'>;
export type TemplateRules = Template['rules'];

/** The user's own templates, by name. */
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/templates/', { signal })),
});

/** Creates a template, or changes the rules of an existing one. */
export const useSaveTemplate = () =>
  useChange(
    ({ name, rules, isNew }: Pick<Template, 'name' | 'rules'> & { readonly isNew: boolean }) =>
      isNew
        ? responseBody(api.POST('/api/v1/templates/', { body: { name, rules } }))
        : responseBody(
            api.PATCH('/api/v1/templates/{name}/', { params: { path: { name } }, body: { rules } }),
          ),
    [templatesQuery.queryKey],
  );

export const useDeleteTemplate = () =>
  useChange(
    (name: string) => responseBody(api.DELETE('/api/v1/templates/{name}/', { params: { path: { name } } })),
    [templatesQuery.queryKey],
    { settled: true },
  );

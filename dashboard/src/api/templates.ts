import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export type Template = Schema<'Template'>;
export type TemplateRules = Template['rules'];

/** The user's own templates, by name. */
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/templates/', { signal })),
});

/** Creates a template, or changes the rules of an existing one. */
export function useSaveTemplate() {
  const invalidate = useInvalidateTemplates();
  return useMutation({
    mutationFn: ({ name, rules, isNew }: Pick<Template, 'name' | 'rules'> & { readonly isNew: boolean }) =>
      isNew
        ? responseBody(api.POST('/api/v1/templates/', { body: { name, rules } }))
        : responseBody(
            api.PATCH('/api/v1/templates/{name}/', { params: { path: { name } }, body: { rules } }),
          ),
    onSuccess: invalidate,
  });
}

export function useDeleteTemplate() {
  const invalidate = useInvalidateTemplates();
  return useMutation({
    mutationFn: (name: string) =>
      responseBody(api.DELETE('/api/v1/templates/{name}/', { params: { path: { name } } })),
    // Also after an error, because it may have been deleted in another tab.
    onSettled: invalidate,
  });
}

function useInvalidateTemplates() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: templatesQuery.queryKey });
}

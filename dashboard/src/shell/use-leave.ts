import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useSignOut } from '../api/session.ts';
import { notifyError } from '../ui/notice.tsx';

/** Signs out, and forgets what the user has seen. */
export function useLeave() {
  const queries = useQueryClient();
  const router = useRouter();
  const signOut = useSignOut();
  const leave = () =>
    signOut.mutate(undefined, {
      onSuccess: async () => {
        await router.navigate({ to: '/sign-in' });
        queries.clear();
        // The draft of the playground may contain secrets.
        sessionStorage.clear();
      },
      onError: notifyError,
    });
  return { leave, isPending: signOut.isPending };
}

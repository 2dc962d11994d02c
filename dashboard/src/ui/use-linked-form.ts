import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** Opens a form of the page if the link to it asks for that: `state={{ form: 'new' }}`. A reload does not open it again. */
export function useLinkedForm(name: 'invite' | 'new', open: () => void): void {
  const navigate = useNavigate();
  const form = useLocation({ select: ({ state }) => state.form });
  const openForm = useEffectEvent(() => {
    open();
    void navigate({ to: '.', search: (old) => old, state: {}, replace: true });
  });
  useEffect(() => {
    if (form === name) openForm();
  }, [form, name]);
}

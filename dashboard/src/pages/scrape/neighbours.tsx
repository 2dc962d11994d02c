import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { neighboursQuery } from '../../api/scrapes.ts';
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.tsx';
import { TextLink } from '../../ui/text.tsx';
import { apiFilterOf } from '../history/history-search.ts';
import classes from './scrape.module.css';

interface NeighboursProps {
  readonly id: string;
  readonly createdAt: string;
}

/** To the records next to this one, in the list from which it was opened, else among all. */
export function Neighbours({ id, createdAt }: NeighboursProps) {
  const among = useLocation({ select: ({ state }) => state.among });
  // A preset means the same while one looks.
  const [now] = useState(Date.now);
  const { data } = useQuery(
    neighboursQuery(id, createdAt, apiFilterOf({ ...among, cursor: undefined }, now)),
  );
  if (data === undefined) return null;
  const state = among === undefined ? {} : { among };
  return (
    <nav aria-label="Records beside this one" className={classes.neighbours}>
      {data.newer !== null && (
        <TextLink
          to="/history/$id"
          params={{ id: data.newer }}
          state={state}
          size="sm"
          className={classes.back}
        >
          <IconChevronLeft size={14} /> Newer
        </TextLink>
      )}
      {data.older !== null && (
        <TextLink
          to="/history/$id"
          params={{ id: data.older }}
          state={state}
          size="sm"
          className={classes.back}
        >
          Older <IconChevronRight size={14} />
        </TextLink>
      )}
    </nav>
  );
}

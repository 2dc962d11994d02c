import { Link } from '@tanstack/react-router';
import { useUser } from '../api/session.ts';
import { BASE_PATH } from '../app/page-config.ts';
import { IconBook, IconExternal } from '../ui/icons.tsx';
import { navItems } from './nav-items.ts';
import classes from './nav-list.module.css';

/** @param onFollow called when a link was followed, for what has to close then */
export function NavList({ onFollow }: { readonly onFollow?: () => void }) {
  const user = useUser();
  return (
    <nav aria-label="Main" className={classes.nav}>
      <ul className={classes.list}>
        {navItems(user).map(({ to, label, icon: Icon }) => (
          <li key={label}>
            <Link
              to={to}
              className={classes.item}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              onClick={onFollow}
            >
              <Icon />
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <a className={classes.item} href={`${BASE_PATH}/docs`} target="_blank" rel="noopener">
        <IconBook />
        API reference
        <IconExternal size={13} className={classes.external} />
      </a>
    </nav>
  );
}

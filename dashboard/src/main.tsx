import { setLanguage } from './i18n/language.ts';

// Constants of modules may be texts, so the modules of the app are evaluated when the language is set. The page preloads
// them (see vite.config.ts).
void setLanguage()
  .then(() => import('./app/start.tsx'))
  .then(({ start }) => start());

import type { System } from '../../api/system.ts';
import { IconAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';

/** What an operator has to see to. Nothing while all is well. */
export function SystemNotices({ system: { storage, browsers } }: { readonly system: System }) {
  const troubles = browsers.kinds.filter(({ trouble }) => trouble !== null);
  return (
    <>
      {!storage.ok && (
        <Notice tone="red" icon={IconAlert} title="Records cannot be stored; scrapes are refused">
          <p>{storage.trouble ?? 'The log of the service says why.'}</p>
        </Notice>
      )}
      {troubles.map(({ browser_type, lane, headless, trouble }) => (
        <Notice
          key={`${browser_type} ${lane} ${headless}`}
          tone="amber"
          icon={IconAlert}
          title={`${browser_type} does not run (${lane} lane)`}
        >
          <p>{trouble}</p>
        </Notice>
      ))}
      {browsers.sandbox === 'off' && (
        <Notice tone="amber" icon={IconAlert} title="Browsers run without their sandbox">
          <p>
            SLUICE_BROWSER_SANDBOX is off: a page that breaks a browser has the rights of its user on this
            machine.
          </p>
        </Notice>
      )}
    </>
  );
}

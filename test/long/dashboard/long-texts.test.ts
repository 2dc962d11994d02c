import { describe, test } from 'node:test';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';

const LONG = 'a'.repeat(200);

describe('words wider than a phone', () => {
  const dashboard = useDashboard();
  const open = (path: string) => dashboard.open(path, { size: NARROW });
  test('a host, a search text and an error do not make the page wider', async () => {
    for (const [path, words] of [
      [`/sites?host=${LONG}.example.com`, 'Nothing is known about this site'],
      [`/users?q=${LONG}`, 'No such user'],
      [`/history?error_code=${LONG}`, 'The request does not match the schema'],
    ] as const) {
      const page = await open(path);
      await page.getByText(words).waitFor();
      await expectToFit(page);
    }
  });

  test('an e-mail address does not make its dialogs wider', async () => {
    const email = `${LONG}@example.com`;
    await dashboard.service.api('POST', '/api/v1/users/', { body: { email } });
    const page = await open('/users');
    for (const action of ['Role and limit', 'New link', 'Revoke']) {
      await page.getByRole('button', { name: `Actions for ${email}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(email).waitFor();
      const hidden = () => dialog.evaluate((one) => one.scrollWidth - one.clientWidth);
      await expect.poll(hidden, action).toBe(0);
      if (action === 'New link') {
        await dialog.getByRole('button', { name: 'Create the link' }).click();
        await dialog.getByText('Shown only now').waitFor();
        await expect.poll(hidden, 'the link').toBe(0);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });
});

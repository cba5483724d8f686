// Sign-in by an identity provider in a real browser: through the provider's own page, as a viewer and as an admin.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Rest } from '../../bench/rig/service/rest.ts';
import { ADMIN, type Service, startService } from '../../bench/rig/service/service.ts';
import { CLIENT, IdentityProvider } from '../support/identity-provider.ts';
import { openBrowser, signIn, skip, type Window } from './browser.ts';

const PICTURES = process.env.SIGN_IN_PICTURES;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const provider = new IdentityProvider([]);
let service: Service;

before(async () => {
  if (skip) return;
  await provider.listen();
  for (const [sub, group] of [
    ['vera', 'readers'],
    ['otto', 'desk'],
    ['ada', 'root'],
  ] as const)
    provider.people.set(sub, { sub, email: `${sub}@example.com`, email_verified: true, groups: [group] });
  service = await startService({
    ...CLIENT,
    ...{ OIDC_ISSUER: provider.issuer, OIDC_NAME: 'Example ID' },
    ...{ OIDC_ROLES: 'readers=viewer,desk=operator,root=installation-admin', OIDC_SIGN_OUT: '1' },
  });
  provider.allow(`${service.apiUrl}/signed-in`);
});
after(async () => {
  await service?.stop();
  await provider.close();
});

async function open(): Promise<Window> {
  const window = await openBrowser(service.apiUrl, { otherOrigin: provider.issuer });
  // Browsers ask the provider's page for an icon.
  window.expectStatus(404);
  return window;
}

async function enter({ page }: Window, sub: string, address = '/#/'): Promise<void> {
  await page.goto(`${service.apiUrl}${address}`);
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('link', { name: sub }).click();
  await page.locator('main.main h1').waitFor();
}

async function picture({ page }: Window, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

test('a viewer comes in by the provider, to the page that was asked for, and is offered nothing that is refused', {
  skip,
}, async () => {
  const window = await open();
  const { page } = window;
  await page.goto(`${service.apiUrl}/#/agents`);
  await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(AXE);
    const { violations } = await page.evaluate<{ violations: unknown[] }>(`axe.run(document)`);
    assert.deepEqual(violations, []);
    await picture(window, `sign-in-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await enter(window, 'vera', '/#/agents');
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  assert.match(page.url(), /#\/agents$/);
  await page.getByRole('table').waitFor();
  assert.equal(await page.getByRole('link', { name: /new agent/i }).count(), 0);
  await picture(window, 'viewer-agents');
  await page.goto(`${service.apiUrl}/#/businesses`);
  await page.getByRole('table').waitFor();
  assert.equal(await page.getByRole('link', { name: /new business/i }).count(), 0);
  await page.goto(`${service.apiUrl}/#/do-not-call`);
  await page.getByText('Your role does not allow changes here.').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add the number' }).count(), 0);
  await page.goto(`${service.apiUrl}/#/settings?tab=security`);
  await page.getByText('Identity provider').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Change the password' }).count(), 0);
  await picture(window, 'viewer-security');
  // Their own sessions are theirs to end.
  const elsewhere = await new Rest(service).must('POST', '/auth/provider/begin');
  const answer = await provider.visit(elsewhere.url, 'vera');
  await new Rest(service).must('POST', '/auth/provider/finish', { answer, proof: elsewhere.proof });
  await page.reload();
  await page.getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('main').getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto(`${service.apiUrl}/#/campaigns`);
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await page.getByRole('button', { name: /upload a csv file|add a contact|pause|start/i }).count(), 0);
  await window.close();
});

test('an operator is offered the work of each day, and an admin everything', { skip }, async () => {
  const window = await open();
  const { page } = window;
  await enter(window, 'otto', '/#/do-not-call');
  await page.getByRole('button', { name: 'Add the number' }).waitFor();
  await page.goto(`${service.apiUrl}/#/agents`);
  await page.getByRole('table').waitFor();
  assert.equal(await page.getByRole('link', { name: /new agent/i }).count(), 0);
  await window.close();
  const another = await open();
  await enter(another, 'ada', '/#/admin/trunks');
  await another.page.getByRole('heading', { level: 1, name: 'Trunks' }).waitFor();
  await another.page.goto(`${service.apiUrl}/#/agents`);
  await another.page
    .getByRole('link', { name: /new agent/i })
    .first()
    .waitFor();
  await picture(another, 'admin-agents');
  await another.close();
});

test('the sign-in page speaks the language of its reader', { skip }, async () => {
  const window = await open();
  const { page } = window;
  await page.addInitScript(`localStorage.setItem('voice.language', 'de')`);
  await page.goto(`${service.apiUrl}/`);
  await page.getByRole('button', { name: 'Mit Example ID anmelden' }).waitFor();
  await page.getByLabel('Passwort', { exact: true }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  await picture(window, 'sign-in-de');
  await window.close();
});

test('who signs out here is led to the provider’s sign-out and back, and is asked again who they are', {
  skip,
}, async () => {
  const window = await open();
  const { page } = window;
  await enter(window, 'otto');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: /yes/i }).click();
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('link', { name: 'otto' }).waitFor();
  await window.close();
});

test('who declines is told so; an address with a code of a stranger signs nobody in', { skip }, async () => {
  const window = await open();
  window.expectStatus(401, 403);
  const { page } = window;
  await page.goto(`${service.apiUrl}/`);
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('link', { name: 'Nobody' }).click();
  await page.getByText('The provider refused it: access_denied').waitFor();
  const begun = await new Rest(service).must('POST', '/auth/provider/begin');
  const answer = await provider.visit(begun.url, 'vera');
  await page.goto(`${service.apiUrl}/signed-in?${answer}`);
  await page.getByText('The sign-in did not work').waitFor();
  assert.doesNotMatch(page.url(), /code/);
  await picture(window, 'refused');
  // Passwords are as before.
  await signIn(window, service.apiUrl, ADMIN);
  await window.close();
});

test('while the provider is away the button says so', { skip }, async () => {
  await provider.close();
  const again = await startService({
    ...CLIENT,
    ...{ OIDC_ISSUER: provider.issuer, OIDC_NAME: 'Example ID', OIDC_DEFAULT_ROLE: 'viewer', OIDC_ONLY: '1' },
  });
  const other = await openBrowser(again.apiUrl);
  other.expectStatus(503, 403);
  await other.page.goto(`${again.apiUrl}/`);
  await other.page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await other.page.getByText(/does not answer/).waitFor();
  await picture(other, 'away');
  await other.page.getByRole('button', { name: 'Administrators: sign in by password' }).click();
  await other.page.getByLabel('E-mail address').fill(ADMIN.email);
  await other.page.getByLabel('Password').fill(ADMIN.password);
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.locator('main.main h1').waitFor();
  await other.close();
  await again.stop();
});

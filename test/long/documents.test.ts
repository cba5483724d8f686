// A manual of 1,000 pages: taken while others are served, and how long it takes, which is printed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setUpCampaign } from '../support/api/resources.ts';
import { uploadDocument } from '../support/api/upload-document.ts';
import { useApi } from '../support/api/use-api.ts';
import { docx, pdf, word } from '../support/document-files.ts';

const api = useApi();
const LINE = 'The warranty of each vacuum cleaner is two years from the day of its purchase in a shop.';
const PAGES = Array.from({ length: 1_000 }, (_, page) => [
  { text: `Chapter ${page + 1}`, size: 20 },
  ...Array.from({ length: 45 }, (__, line) => ({ text: `${page + 1}.${line} ${LINE}` })),
]);

const FILES = [
  ['manual.pdf', () => pdf(PAGES)],
  [
    'manual.docx',
    () =>
      docx(
        PAGES.flatMap((lines) => lines.map(({ text }, at) => word(text, at === 0 ? 'berschrift1' : undefined))).join(
          '',
        ),
      ),
  ],
  [
    'manual.html',
    () =>
      Buffer.from(
        PAGES.map(
          ([first, ...lines]) => `<h1>${first?.text}</h1>${lines.map(({ text }) => `<p>${text}</p>`).join('')}`,
        ).join(''),
      ),
  ],
] as const;

for (const [file, made] of FILES)
  test(`1,000 pages of ${file} are taken while others are served`, async (t) => {
    const { business } = await setUpCampaign(api, api.tenant);
    const { accountId } = api.tenant;
    await api.context.db.updateTable('accounts').set({ plan: 'PRO' }).where('id', '=', accountId).execute();
    const content = made();
    const started = performance.now();
    let isDone = false;
    const taken = uploadDocument(api, api.tenant, `/businesses/${business.id}/documents`, { file, content });
    void taken.finally(() => {
      isDone = true;
    });
    let served = 0;
    let slowestMs = 0;
    while (!isDone) {
      const asked = performance.now();
      assert.equal((await api.other.ask('GET', '/businesses')).status, 200);
      slowestMs = Math.max(slowestMs, performance.now() - asked);
      served++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const answer = await taken;
    assert.equal(answer.status, 201, answer.text);
    const { characters, passages } = answer.json.data;
    t.diagnostic(
      `${content.length} bytes, ${characters} characters, ${passages} passages: ` +
        `${Math.round(performance.now() - started)} ms; others' slowest of ${served} answers: ${Math.round(slowestMs)} ms`,
    );
    assert.ok(served > 1);
  });

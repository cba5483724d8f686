// What a tenant's tool costs beside the tenant's own system, and how long the documents of a business are searched.
import { searchPassages } from '../../db/queries/knowledge/search.ts';
import { PASSAGES_IN_A_TURN } from '../../models/knowledge/passages-in-a-turn.ts';
import { runHttpTool, ToolConnections } from '../../models/tools/http-tool.ts';
import type { HttpTool } from '../../models/tools/tool.ts';
import { startApi } from '../rig/api/api.ts';
import { answerJson, startToolServer } from '../rig/fakes/tool-server.ts';
import { part } from '../rig/part.ts';
import { seededRandom } from '../rig/seeded-random.ts';
import { rowOf } from '../rig/statistics.ts';

const USAGE = `usage: npm run bench -- tools [--runs N] [--documents N] [--pages N] [--questions N]
What a tool adds to the time of the system that it asks, over N runs on a kept connection; and how long it takes to
add documents of so many pages (2,000 characters each) and to find the best three passages for a question.`;

/** As long as the system that is asked takes, ms. */
const ANSWER_AFTER_MS = 20;
const PAGE_CHARS = 2_000;
const WORDS = 30_000;

const TOOL: HttpTool = {
  id: 'tol_bench',
  name: 'find_order',
  description: 'Finds an order.',
  method: 'POST',
  url: '',
  headers: { Authorization: 'Bearer of-the-bench' },
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  timeoutMs: 5_000,
};

/** From the request to the model's view of the answer, without what the system took itself, ms. */
async function toolCosts(runs: number): Promise<number[]> {
  let tookMs = 0;
  const server = await startToolServer((_question, response) => {
    const startedAt = performance.now();
    setTimeout(() => {
      tookMs = performance.now() - startedAt;
      answerJson(response, {
        state: 'shipped',
        items: Array.from({ length: 30 }, (_, id) => ({ id, name: 'A thing' })),
      });
    }, ANSWER_AFTER_MS);
  });
  const connections = new ToolConnections({ allowPrivate: true });
  const costs: number[] = [];
  for (let i = 0; i < runs; i++) {
    const inputs = { arguments: { number: String(i) }, values: {}, headerValues: {}, key: `bench-${i}` };
    const run = await runHttpTool({ ...TOOL, url: `${server.origin}/orders` }, inputs, connections);
    if (!run.result.ok) throw new Error(run.result.message);
    costs.push(run.tookMs - tookMs);
  }
  await connections.close();
  await server.close();
  return costs;
}

/** A number as a word: no stop word, no code. */
const letters = (number: number): string =>
  `w${number.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))}o`;

/** Text whose words are as common as words are (Zipf), under a heading a page. */
function documentText(pages: number, random: () => number): string {
  const word = (): string => letters(Math.min(WORDS - 1, Math.floor(Math.exp(random() * Math.log(WORDS))) - 1));
  const text = (chars: number): string => {
    const words: string[] = [];
    for (let length = 0; length < chars; length += (words.at(-1)?.length ?? 0) + 1) words.push(word());
    return `${words.join(' ')}.`;
  };
  return Array.from({ length: pages }, () => `# ${text(40)}\n\n${text(PAGE_CHARS)}`).join('\n\n');
}

async function searchTimes(documents: number, pages: number, questions: number) {
  const api = await startApi();
  try {
    const { accountId } = api.tenant;
    const { plan } = { plan: 'ENTERPRISE' } as const;
    await api.context.db.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute();
    const business = { name: 'Bench', industry: 'bench', timezone: 'UTC' };
    const { id: businessId } = (await api.tenant.ask('POST', '/businesses', business)).json.data;
    const random = seededRandom(1);
    let addedMs = 0;
    let passages = 0;
    for (let i = 0; i < documents; i++) {
      const document = { name: `Manual ${i}`, kind: 'markdown', text: documentText(pages, random) };
      const startedAt = performance.now();
      const { json, status, text } = await api.tenant.ask('POST', `/businesses/${businessId}/documents`, document);
      if (status !== 201) throw new Error(text);
      addedMs += performance.now() - startedAt;
      passages += (json.data as { passages: number }).passages;
    }
    const times: number[] = [];
    for (let i = 0; i < questions; i++) {
      const question = documentText(1, random).split(/\s+/).slice(1, 11).join(' ');
      const startedAt = performance.now();
      await searchPassages(api.context.read, { accountId, businessId, question, limit: PASSAGES_IN_A_TURN });
      times.push(performance.now() - startedAt);
    }
    return { times, addedMs, passages };
  } finally {
    await api.close();
  }
}

export default part(USAGE, { runs: 500, documents: 1_000, pages: 20, questions: 500 }, async (options) => {
  const { runs, documents, pages, questions } = options;
  const costs = await toolCosts(runs);
  const { times, addedMs, passages } = await searchTimes(documents, pages, questions);
  const each = (addedMs / documents / pages) * 1_000;
  return {
    title: 'Tools and documents',
    rows: [
      rowOf('a tool, beside what its system takes', costs, 'p95 <= 5'),
      rowOf(`a question to ${passages} passages`, times, 'p99 <= 5'),
    ],
    data: { addedMs, documents, pages },
    notes: [
      `${documents} documents of ${pages} pages were added in ${(addedMs / 1_000).toFixed(1)} s: 1,000 pages in ${(each / 1_000).toFixed(1)} s`,
    ],
  };
});

// Measures the cost of a tenant's tool beside the tenant's own system, and how long the documents of a business are
// searched.
import { IndexMerge } from '../../api/documents/merge.ts';
import { searchPassages } from '../../db/queries/knowledge/search.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { PASSAGES_IN_A_TURN } from '../../models/knowledge/passages-in-a-turn.ts';
import { runHttpTool, ToolConnections } from '../../models/tools/http-tool.ts';
import type { HttpTool } from '../../models/tools/tool.ts';
import { besideCalls } from '../knowledge/beside-calls.ts';
import { madeText } from '../knowledge/made-text.ts';
import { startApi } from '../rig/api/api.ts';
import { answerJson, startToolServer } from '../rig/fakes/tool-server.ts';
import { rowOf } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { summariseBins } from '../rig/phone/phones.ts';
import { Rest } from '../rig/service/rest.ts';

const USAGE = `usage: npm run bench -- tools [--runs N] [--documents N] [--pages N] [--questions N] [--calls N]
What a tool adds to the time of the system that it asks, over N runs on a kept connection; and how long it takes to
add documents of so many pages (2,000 characters each) and to find the best three passages for a question. With --calls
the questions are asked beside N running calls, and 1,000 pages are added while N calls run: how evenly their packets
come then. That needs a C compiler.`;

/** As long as the system that is asked takes, ms. */
const ANSWER_AFTER_MS = 20;
const IMPORTED_PAGES = 1_000;

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

interface Sizes {
  documents: number;
  pages: number;
  questions: number;
  calls: number;
}

async function searchTimes({ documents, pages, questions, calls }: Sizes) {
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
      const document = { name: `Manual ${i}`, kind: 'markdown', text: madeText(pages, random) };
      const startedAt = performance.now();
      const { json, status, text } = await api.tenant.ask('POST', `/businesses/${businessId}/documents`, document);
      if (status !== 201) throw new Error(text);
      addedMs += performance.now() - startedAt;
      passages += (json.data as { passages: number }).passages;
    }
    // As the service does when nothing was added for a while.
    const merge = new IndexMerge(api.context);
    await merge.run();
    await merge.run();
    const askAll = async (): Promise<number[]> => {
      const times: number[] = [];
      for (let i = 0; i < questions; i++) {
        const question = madeText(1, random).split(/\s+/).slice(1, 11).join(' ');
        const startedAt = performance.now();
        await searchPassages(api.context.read, { accountId, businessId, question, limit: PASSAGES_IN_A_TURN });
        times.push(performance.now() - startedAt);
      }
      return times;
    };
    const times = calls === 0 ? await askAll() : (await besideCalls(calls, askAll)).done;
    return { times, addedMs, passages };
  } finally {
    await api.close();
  }
}

/** How evenly packets of running calls come while documents are added to the same service; ms that it took. */
async function importBeside({ calls, pages }: Pick<Sizes, 'calls' | 'pages'>) {
  const random = seededRandom(3);
  // Made before: the work of this process would be the calls' neighbour, too.
  const texts = Array.from({ length: Math.ceil(IMPORTED_PAGES / pages) }, () => madeText(pages, random));
  return besideCalls(calls, async (service) => {
    const rest = await new Rest(service).login();
    const [business] = await rest.must('GET', '/businesses');
    const startedAt = performance.now();
    for (const [nth, text] of texts.entries()) {
      const document = { name: `Imported ${nth}`, kind: 'markdown', text };
      await rest.must('POST', `/businesses/${business?.id}/documents`, document);
    }
    return performance.now() - startedAt;
  });
}

const defaults = { runs: 500, documents: 1_000, pages: 20, questions: 500, calls: 0 };

export default part(USAGE, defaults, async ({ runs, ...sizes }) => {
  const { documents, pages, calls } = sizes;
  const costs = await toolCosts(runs);
  const { times, addedMs, passages } = await searchTimes(sizes);
  const imported = calls === 0 ? null : await importBeside(sizes);
  const each = (addedMs / documents / pages) * 1_000;
  const beside = calls === 0 ? '' : `, beside ${calls} calls`;
  return {
    title: 'Tools and documents',
    rows: [
      rowOf('a tool, beside what its system takes', costs, 'p95 <= 5'),
      rowOf(`a question to ${passages} passages${beside}`, times, 'p99 <= 5'),
      ...(imported === null
        ? []
        : [
            {
              name: `pacing error of ${calls} calls while ${IMPORTED_PAGES} pages are added`,
              summary: summariseBins(imported.pace),
              target: 'p99 <= 2, max <= 10',
            },
          ]),
    ],
    data: { addedMs, importedMs: imported?.done ?? null, documents, pages, calls },
    notes: [
      `${documents} documents of ${pages} pages were added in ${(addedMs / 1_000).toFixed(1)} s: 1,000 pages in ${(each / 1_000).toFixed(1)} s`,
    ],
  };
});

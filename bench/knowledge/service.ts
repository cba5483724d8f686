// An API with the manuals as documents, and others beside them; asks each question as a call does.
import { searchPassages } from '../../db/queries/knowledge/search.ts';
import { sentencesOf } from '../../models/knowledge/passages.ts';
import { PASSAGES_IN_A_TURN } from '../../models/knowledge/passages-in-a-turn.ts';
import { startApi, type Tenant, type TestApi } from '../rig/api/api.ts';
import { seededRandom } from '../rig/seeded-random.ts';
import { MANUALS, type Manual, manualText, questionsOf } from './questions.ts';
import { type Asked, rankOf } from './recall.ts';

const SENTENCES_IN_OTHERS = 400;

export async function askAll(others: number): Promise<{ asked: Asked[]; passages: number }> {
  const api = await startApi();
  try {
    let passages = await addOthers(api, others);
    const asked: Asked[] = [];
    for (const manual of MANUALS) {
      const businessId = await newBusiness(api.tenant);
      passages += await add(api.tenant, businessId, manual, manualText(manual));
      for (const question of questionsOf(manual)) {
        const found = await searchPassages(api.context.read, {
          ...{ accountId: api.tenant.accountId, businessId, question: question.text, limit: PASSAGES_IN_A_TURN },
        });
        asked.push({ question, found, rank: rankOf(question, found) });
      }
    }
    return { asked, passages };
  } finally {
    await api.close();
  }
}

/** Documents of another tenant about the same things: what is rare in one business is common in the installation. */
async function addOthers({ context, other }: TestApi, count: number): Promise<number> {
  await context.db.updateTable('accounts').set({ plan: 'ENTERPRISE' }).where('id', '=', other.accountId).execute();
  const businessId = await newBusiness(other);
  const random = seededRandom(7);
  const sentences = MANUALS.flatMap((manual) => sentencesOf(manualText(manual).replace(/^#.*$/gm, '')));
  let passages = 0;
  for (let i = 0; i < count; i++) {
    const some = Array.from(
      { length: SENTENCES_IN_OTHERS },
      (_, at) => `${at % 8 === 0 ? '\n\n' : ''}${sentences[Math.floor(random() * sentences.length)]}`,
    );
    passages += await add(other, businessId, `Other ${i}`, some.join(' '));
  }
  return passages;
}

async function newBusiness(tenant: Tenant): Promise<string> {
  const business = { name: 'Bench', industry: 'bench', timezone: 'UTC' };
  return (await tenant.ask('POST', '/businesses', business)).json.data.id;
}

async function add(tenant: Tenant, businessId: string, name: Manual | string, text: string): Promise<number> {
  const document = { name, kind: 'markdown', text };
  const answer = await tenant.ask('POST', `/businesses/${businessId}/documents`, document);
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.json.data as { passages: number }).passages;
}

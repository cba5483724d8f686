// An API with the manuals as documents, and others beside them; asks each question as a call does.
import { DocumentEmbedding } from '../../api/documents/embedding.ts';
import { searchPassages } from '../../db/queries/knowledge/search.ts';
import type { Vector } from '../../db/queries/knowledge/vectors.ts';
import { vectorKind } from '../../db/shared/settings/embeddings-settings.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { Embeddings } from '../../models/knowledge/embeddings.ts';
import { sentencesOf } from '../../models/knowledge/passages.ts';
import { PASSAGES_IN_A_TURN } from '../../models/knowledge/passages-in-a-turn.ts';
import { startApi, type Tenant, type TestApi } from '../rig/api/api.ts';
import { MANUALS, type Manual, manualText, type Question, questionsOf } from './questions.ts';
import { type Asked, rankOf } from './recall.ts';

const SENTENCES_IN_OTHERS = 400;

/** A local model on a busy machine needs its time; a call would not wait that long. */
const VECTOR_WITHIN_MS = 60_000;
const TRIES = 5;

interface AskedAll {
  byWords: Asked[];
  /** Null: no server of vectors was named. */
  withVectors: Asked[] | null;
  passages: number;
}

/** `environment`: the server that makes vectors (EMBEDDINGS_…), or nothing. */
export async function askAll(others: number, environment: Record<string, string>): Promise<AskedAll> {
  const api = await startApi({ environment });
  try {
    const meaning = meaningOf(api);
    let passages = await addOthers(api, others);
    const byWords: Asked[] = [];
    const withVectors: Asked[] = [];
    for (const manual of MANUALS) {
      const businessId = await newBusiness(api.tenant);
      passages += await add(api.tenant, businessId, manual, manualText(manual));
      await meaning?.embed(businessId);
      const ask = async (question: Question, vector: Vector | null): Promise<Asked> => {
        const of = { accountId: api.tenant.accountId, businessId, question: question.text, vector };
        const found = await searchPassages(api.context.read, { ...of, limit: PASSAGES_IN_A_TURN });
        return { question, found, rank: rankOf(question, found) };
      };
      for (const question of questionsOf(manual)) {
        byWords.push(await ask(question, null));
        if (meaning !== null) withVectors.push(await ask(question, await meaning.vectorOf(question.text)));
      }
    }
    return { byWords, withVectors: meaning === null ? null : withVectors, passages };
  } finally {
    await api.close();
  }
}

function meaningOf({ context }: TestApi) {
  const settings = context.config.embeddings;
  if (settings === null) return null;
  const embeddings = new Embeddings(settings);
  return {
    /** The business's documents only: those of others are never compared with its questions. */
    async embed(businessId: string): Promise<void> {
      const { db } = context;
      const aside = Number.MAX_SAFE_INTEGER;
      await db.updateTable('documents').set({ vectorsDueAt: aside }).where('businessId', '!=', businessId).execute();
      const work = new DocumentEmbedding(context, settings);
      let error: string | null = 'none was asked for';
      // A local model on a busy machine may be too late for a block of passages; the blocks that it made are kept.
      for (let tries = 0; tries < TRIES && error !== null; tries++) {
        await db.updateTable('documents').set({ vectorsDueAt: null }).where('businessId', '=', businessId).execute();
        await work.run();
        const of = db
          .selectFrom('documents')
          .select(['vectorKind', 'vectorError'])
          .where('businessId', '=', businessId);
        const { vectorKind: kind, vectorError } = await of.executeTakeFirstOrThrow();
        error = kind === null ? (vectorError ?? 'no reason was given') : null;
      }
      if (error !== null) throw new Error(`the server of vectors made none for a document: ${error}`);
    },
    async vectorOf(text: string): Promise<Vector> {
      const [values] = await embeddings.of([text], VECTOR_WITHIN_MS);
      if (values === undefined) throw new Error('the server of vectors answered none');
      return { kind: vectorKind(settings), values };
    },
  };
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

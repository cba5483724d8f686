// How well callers' questions find their passages: three manuals, and questions in the words of callers.
import { PASSAGES_IN_A_TURN } from '../../models/knowledge/passages-in-a-turn.ts';
import { MANUALS, type Question } from '../knowledge/questions.ts';
import { type Asked, type Recall, recallOf } from '../knowledge/recall.ts';
import { askAll } from '../knowledge/service.ts';
import { startPostgres } from '../rig/database/postgres-server.ts';
import { table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';

const USAGE = `usage: npm run bench -- knowledge [--postgres] [--verbose] [--others N]
Recall of the search: how many of some 200 questions, as callers say them, have a passage that answers them among the
first one and the first ${PASSAGES_IN_A_TURN} found, and the mean of 1 / rank. Each manual is the document of a business of its own. Beside them
lie N documents of other businesses, made of sentences of the same manuals (default 60). Half of the questions are held
out: nobody tunes to them. --verbose names the questions of the other half that found nothing that answers.

With EMBEDDINGS_BASE_URL (and EMBEDDINGS_MODEL, EMBEDDINGS_DIMENSIONS: 384 for all-MiniLM-L6-v2) the questions are asked
by words and vectors, too.`;

const RECALL_TARGET = 0.9;

export default part(USAGE, { postgres: false, verbose: false, others: 60 }, async ({ postgres, verbose, others }) => {
  const server = postgres ? await startPostgres({ durable: false }) : null;
  if (server !== null) process.env.DATABASE_URL = server.url;
  try {
    const { byWords, withVectors, passages } = await askAll(others, vectorsServer());
    const asked = withVectors ?? byWords;
    const misses = asked.filter(({ rank, question }) => rank === null && !question.isHeldOut);
    return {
      title: `Recall of ${asked.length} questions, on ${postgres ? 'PostgreSQL' : 'SQLite'}`,
      lines: [
        ...recallTable(byWords),
        ...(withVectors === null ? [] : ['', 'By words and vectors:', '', ...recallTable(withVectors)]),
        '',
        `${passages} passages in the database. Target: recall@3 of at least ${RECALL_TARGET} for all.`,
      ],
      data: {
        recall: recallByGroup(byWords),
        ...(withVectors === null ? {} : { withVectors: recallByGroup(withVectors) }),
      },
      notes: verbose ? misses.flatMap(missed) : [],
    };
  } finally {
    await server?.stop();
  }
});

/** The environment’s variables of the server that makes vectors. */
const vectorsServer = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('EMBEDDINGS_') && value !== undefined ? [[name, value]] : [],
    ),
  );

const recallByGroup = (asked: readonly Asked[]): Record<string, Recall> =>
  Object.fromEntries(groupsOf(asked).map(([name, some]) => [name, recallOf(some)]));

const recallTable = (asked: readonly Asked[]): string[] =>
  table(
    ['questions', 'n', 'recall@1', 'recall@3', 'MRR'],
    groupsOf(asked).map(([name, some]) => rowOf(name, recallOf(some))),
  );

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const rowOf = (name: string, { questions, at1, at3, mrr }: Recall) => [
  name,
  questions,
  percent(at1),
  percent(at3),
  mrr.toFixed(3),
];

function groupsOf(asked: readonly Asked[]): Array<[string, Asked[]]> {
  const where = (is: (question: Question) => boolean): Asked[] => asked.filter(({ question }) => is(question));
  const kinds = [...new Set(asked.map(({ question }) => question.kind))];
  return [
    ['all', [...asked]],
    ['tuned to', where(({ isHeldOut }) => !isHeldOut)],
    ['held out', where(({ isHeldOut }) => isHeldOut)],
    ...MANUALS.map((manual): [string, Asked[]] => [manual, where((question) => question.manual === manual)]),
    ...kinds.map((kind): [string, Asked[]] => [kind, where((question) => question.kind === kind)]),
  ];
}

const missed = ({ question: { manual, kind, text, headings }, found }: Asked): string[] => [
  `${manual}, ${kind}: ${text}`,
  `  wanted ${headings.join(' | ')}`,
  `  found  ${found.map(({ heading }) => heading.split(' > ').at(-1)).join(' | ') || 'nothing'}`,
];

// Changes that wait to be published, each beside what calls obey, and what can be done with them.

import type { Operations } from '../api-operations.ts';
import type { Draft } from '../api-types.ts';
import { call } from '../client.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Card } from '../ui/layout.tsx';
import { say } from '../ui/toast.tsx';
import type { Loaded } from '../use-api.ts';
import { t, words } from '../words/words.ts';
import { Change } from './change.tsx';

const SUBJECTS = {
  agent: { read: 'getAgent', publish: 'publishAgent', discard: 'discardAgentDraft' },
  business: { read: 'getBusiness', publish: 'publishBusiness', discard: 'discardBusinessDraft' },
  tool: { read: 'getTool', publish: 'publishTool', discard: 'discardToolDraft' },
} as const;

const SUBJECT_WORDS = { agent: words('agent'), business: words('business'), tool: words('tool') };

export type Subject = keyof typeof SUBJECTS;
export type RecordOf<S extends Subject> = Operations[(typeof SUBJECTS)[S]['read']]['answer']['data'];

interface WaitingProps<S extends Subject> {
  of: S;
  id: string;
  drafts: Loaded<{ data: Draft[] }>;
  /** With the record as it is then. */
  onChanged: (record: RecordOf<S>) => void;
}

/** The defaults of the service. */
const TRIAL = { share: 10, calls: 100 };

export function Waiting<S extends Subject>({ of, id, drafts, onChanged }: WaitingProps<S>) {
  const list = drafts.answer?.data ?? [];
  if (list.length === 0) return null;
  const act = (operation: 'publish' | 'discard', said: string) => async () => {
    const { warnings } = await call(SUBJECTS[of][operation], { params: { id } });
    await changed(of, id, onChanged);
    say([said, ...(warnings ?? [])].join('. '));
  };
  const publish = () =>
    confirm({
      title: t('Publish what waits?'),
      text: t('The next call obeys it: {names}.', { names: list.map(nameOf).join(', ') }),
      action: t('Publish'),
      look: 'primary',
      perform: act('publish', t('Published')),
    });
  const discard = () =>
    confirm({
      title: t('Discard what waits?'),
      text: t('It becomes again what calls obey now: {names}. The versions stay in the list.', {
        names: list.map(nameOf).join(', '),
      }),
      action: t('Discard'),
      perform: act('discard', t('Discarded')),
    });
  return (
    <Card
      title={t('Waiting to be published')}
      actions={
        <>
          <Button right="change" look="primary" onClick={publish}>
            {t('Publish')}
          </Button>
          {of !== 'tool' && list.some((draft) => draft.id === id) && (
            <TryFirst of={of} id={id} onBegun={() => changed(of, id, onChanged)} />
          )}
          <Button look="danger" onClick={discard}>
            {t('Discard')}
          </Button>
        </>
      }
    >
      {list.map((draft) => (
        <div class="changes" key={draft.id}>
          <span>
            <strong>{nameOf(draft)}</strong>{' '}
            <span class="soft">
              {t('version {version}, calls obey {published}', {
                version: draft.draftVersion,
                published: draft.publishedVersion,
              })}
            </span>
          </span>
          {draft.changes.length === 0 && <span class="soft">{t('Values of headers only')}</span>}
          {draft.changes.map((change) => (
            <Change key={change.field} {...change} />
          ))}
        </div>
      ))}
    </Card>
  );
}

const nameOf = ({ subject, name }: Draft): string => `${t(SUBJECT_WORDS[subject])} ${name}`;

async function changed<S extends Subject>(of: S, id: string, onChanged: (record: RecordOf<S>) => void): Promise<void> {
  const { data } = await call(SUBJECTS[of].read, { params: { id } });
  onChanged(data as RecordOf<S>);
}

function TryFirst({ of, id, onBegun }: { of: 'agent' | 'business'; id: string; onBegun: () => Promise<void> }) {
  const ask = () =>
    confirm({
      title: t('Try it on {share} % of the calls first?', { share: TRIAL.share }),
      text: t(
        'The draft leads {share} % of the calls, always those of the same numbers. After {calls} of them it is published, unless they are worse than the others: then it goes back by itself.',
        { share: TRIAL.share, calls: TRIAL.calls },
      ),
      action: t('Try it'),
      look: 'primary',
      perform: async () => {
        await call(SUBJECTS[of].publish, { params: { id }, body: { canary: TRIAL } });
        await onBegun();
        say(t('It leads {share} % of the calls', { share: TRIAL.share }));
      },
    });
  return (
    <Button right="change" onClick={ask}>
      {t('Try on {share} % first', { share: TRIAL.share })}
    </Button>
  );
}

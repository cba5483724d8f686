// Changes that wait to be published, each beside what calls obey, and what can be done with them.

import type { Operations } from '../api-operations.ts';
import type { Draft } from '../api-types.ts';
import { call } from '../client.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Card } from '../ui/layout.tsx';
import { say } from '../ui/toast.tsx';
import type { Loaded } from '../use-api.ts';
import { Change } from './change.tsx';

const SUBJECTS = {
  agent: { read: 'getAgent', publish: 'publishAgent', discard: 'discardAgentDraft' },
  business: { read: 'getBusiness', publish: 'publishBusiness', discard: 'discardBusinessDraft' },
  tool: { read: 'getTool', publish: 'publishTool', discard: 'discardToolDraft' },
} as const;

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
      title: 'Publish what waits?',
      text: `The next call obeys it: ${list.map(nameOf).join(', ')}.`,
      action: 'Publish',
      look: 'primary',
      perform: act('publish', 'Published'),
    });
  const discard = () =>
    confirm({
      title: 'Discard what waits?',
      text: `It becomes again what calls obey now: ${list.map(nameOf).join(', ')}. The versions stay in the list.`,
      action: 'Discard',
      perform: act('discard', 'Discarded'),
    });
  return (
    <Card
      title="Waiting to be published"
      actions={
        <>
          <Button right="change" look="primary" onClick={publish}>
            Publish
          </Button>
          {of !== 'tool' && list.some((draft) => draft.id === id) && (
            <TryFirst of={of} id={id} onBegun={() => changed(of, id, onChanged)} />
          )}
          <Button look="danger" onClick={discard}>
            Discard
          </Button>
        </>
      }
    >
      {list.map((draft) => (
        <div class="changes" key={draft.id}>
          <span>
            <strong>{nameOf(draft)}</strong>{' '}
            <span class="soft">
              version {draft.draftVersion}, calls obey {draft.publishedVersion}
            </span>
          </span>
          {draft.changes.length === 0 && <span class="soft">Values of headers only</span>}
          {draft.changes.map((change) => (
            <Change key={change.field} {...change} />
          ))}
        </div>
      ))}
    </Card>
  );
}

const nameOf = ({ subject, name }: Draft): string => `${subject} ${name}`;

async function changed<S extends Subject>(of: S, id: string, onChanged: (record: RecordOf<S>) => void): Promise<void> {
  const { data } = await call(SUBJECTS[of].read, { params: { id } });
  onChanged(data as RecordOf<S>);
}

function TryFirst({ of, id, onBegun }: { of: 'agent' | 'business'; id: string; onBegun: () => Promise<void> }) {
  const ask = () =>
    confirm({
      title: `Try it on ${TRIAL.share} % of the calls first?`,
      text: `The draft of the ${of} leads ${TRIAL.share} % of the calls, always those of the same numbers. After ${TRIAL.calls} of them it is published, unless they are worse than the others: then it goes back by itself.`,
      action: 'Try it',
      look: 'primary',
      perform: async () => {
        await call(SUBJECTS[of].publish, { params: { id }, body: { canary: TRIAL } });
        await onBegun();
        say(`It leads ${TRIAL.share} % of the calls`);
      },
    });
  return (
    <Button right="change" onClick={ask}>
      Try on {TRIAL.share} % first
    </Button>
  );
}

// Keeps a call as a test: its caller says the same again, and what was wrong becomes what is asked for.
import { useState } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import type { Call, KeepCallAsTestBody } from '../../api-types.ts';
import { SLOW_MS } from '../../calls/answers.ts';
import { otherParty } from '../../calls/words.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatDate } from '../../format.ts';
import { go, link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { ErrorNotice, Loading } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { useAll } from '../../use-all.ts';
import { t } from '../../words/words.ts';
import { formatMs } from './gap-parts.tsx';

type Checks = NonNullable<KeepCallAsTestBody['checks']>;
type Suites = ReadonlyArray<{ id: string; name: string }>;

const NEW_SUITE = '';

export function KeepAsTest({ call: kept }: { call: Call }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button right="change" onClick={() => setOpen(true)}>
        {t('Make a test of it')}
      </Button>
      {isOpen && <KeepDialog call={kept} onClose={() => setOpen(false)} />}
    </>
  );
}

function KeepDialog({ call: kept, onClose }: { call: Call; onClose: () => void }) {
  const suites = useAll('listTestSuites');
  return (
    <Dialog title={t('Make a test of it')} onClose={onClose}>
      <p class="soft">
        {t(
          'The caller’s own sentences are cut from the recording and said again to the agent as it is then. The test goes with the call when that is erased.',
        )}
      </p>
      {suites.answer !== null ? (
        <KeepForm call={kept} suites={suites.answer} onClose={onClose} />
      ) : suites.error === null ? (
        <Loading />
      ) : (
        <ErrorNotice error={suites.error} onRetry={suites.reload} />
      )}
    </Dialog>
  );
}

function KeepForm({ call: kept, suites, onClose }: { call: Call; suites: Suites; onClose: () => void }) {
  const has = (kind: string) => kept.problems?.some((problem) => problem.kind === kind) ?? false;
  const first = {
    suiteId: suites[0]?.id ?? NEW_SUITE,
    name: `${otherParty(kept)}, ${formatDate(kept.startedAt)}`,
    said: '',
    isQuick: has('too_slow'),
    isUncut: has('interrupted'),
  };
  const form = useForm(first, async ({ values }) => {
    const suiteId = values.suiteId === NEW_SUITE ? await newSuite(kept) : values.suiteId;
    const body = { suiteId, name: values.name.trim(), checks: checksOf(values) };
    await call('keepCallAsTest', { params: { id: kept.id }, body });
    say(t('Kept as a test'));
    onClose();
    go(link(`/tests/${suiteId}`));
  });
  return (
    <SubmitForm form={form} shown={['name']} send={t('Keep it')} onCancel={onClose}>
      <Select
        label={t('Suite')}
        {...form.field('suiteId')}
        choices={[
          ...suites.map(({ id, name }) => ({ value: id, text: name })),
          { value: NEW_SUITE, text: t('A new one for this agent and business') },
        ]}
      />
      <TextField label={t('Name of the case')} {...form.field('name')} limits={LIMITS.KeepCallAsTestBody.name} />
      <TextArea
        label={t('The agent must say')}
        hint={t('One on a line; a part of its words is enough.')}
        {...form.field('said')}
        rows={2}
      />
      <Checkbox label={t('Each answer within {time}', { time: formatMs(SLOW_MS) })} {...form.field('isQuick')} />
      <Checkbox label={t('Nobody is cut off')} {...form.field('isUncut')} />
    </SubmitForm>
  );
}

interface Wanted {
  said: string;
  isQuick: boolean;
  isUncut: boolean;
}

function checksOf({ said, isQuick, isUncut }: Wanted): Checks {
  const texts = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return [
    ...texts.map((text) => ({ said: text })),
    ...(isQuick ? [{ gapAtMostMs: SLOW_MS }] : []),
    ...(isUncut ? [{ noCutOff: true as const }] : []),
  ];
}

async function newSuite({ agentId, businessId }: Call): Promise<string> {
  const { data } = await call('createTestSuite', { body: { name: t('Calls of callers'), agentId, businessId } });
  return data.id;
}

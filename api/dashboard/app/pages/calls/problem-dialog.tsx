// Says what was wrong with a line of a call, or takes it back.
import * as LIMITS from '../../api-limits.ts';
import type { Call, TranscriptEntry } from '../../api-types.ts';
import { PROBLEM_CHOICES } from '../../calls/words.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';

type Problem = NonNullable<Call['problems']>[number];

interface ProblemDialogProps {
  callId: string;
  line: TranscriptEntry;
  /** The one that was said of the line before. */
  problem: Problem | undefined;
  onSaved: () => void;
  onClose: () => void;
}

export function ProblemDialog({ callId, line, problem, onSaved, onClose }: ProblemDialogProps) {
  const params = { id: callId, timestamp: String(line.timestamp) };
  const first: Problem['kind'] = line.speaker === 'caller' ? 'misheard' : 'wrong_answer';
  const form = useForm({ kind: problem?.kind ?? first, note: problem?.note ?? '' }, async ({ values }) => {
    await call('markCallProblem', { params, body: { kind: values.kind, note: values.note.trim() || null } });
    say(t('Noted: the list of calls finds it by this filter'));
    onSaved();
    onClose();
  });
  const takeBack = () =>
    attempt(async () => {
      await call('unmarkCallProblem', { params });
      onSaved();
      onClose();
    }, t('Taken back'));
  return (
    <Dialog title={t('What was wrong?')} onClose={onClose}>
      <blockquote class="passage">{line.text}</blockquote>
      <SubmitForm
        right="work"
        form={form}
        shown={['kind', 'note']}
        send={t('Save')}
        onCancel={onClose}
        beside={
          problem !== undefined && (
            <Button look="plain" onClick={() => void takeBack()}>
              {t('Nothing was wrong')}
            </Button>
          )
        }
      >
        <fieldset class="problem-kinds">
          <legend class="visually-hidden">{t('Kind')}</legend>
          {PROBLEM_CHOICES.map(([kind, text, hint]) => (
            <label key={kind} class="check">
              <input
                type="radio"
                name="kind"
                checked={form.values.kind === kind}
                onChange={() => form.set('kind', kind)}
              />
              <span>
                {t(text)} <span class="small soft">{t(hint)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <TextArea label={t('Note')} {...form.field('note')} limits={LIMITS.MarkCallProblemBody.note} rows={2} />
      </SubmitForm>
    </Dialog>
  );
}

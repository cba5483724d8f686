// Makes cases of a transcript, which is pasted or read from a file: each turn of its caller becomes one.
import * as LIMITS from '../../api-limits.ts';
import { call } from '../../client.ts';
import { refuseFaults } from '../../field-faults.ts';
import { useForm } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { readJson } from '../../json-object.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/fields/field.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';

const EXAMPLE = `[
  {"role": "agent", "text": "How can I help you?"},
  {"role": "caller", "text": "When do you open?"}
]`;

interface ImportDialogProps {
  suiteId: string;
  onImported: () => void;
  onClose: () => void;
}

export function ImportDialog({ suiteId, onImported, onClose }: ImportDialogProps) {
  const form = useForm({ name: '', transcript: '' }, async ({ values }) => {
    const read = readJson(values.transcript);
    if (read.fault !== null) refuseFaults([{ field: 'transcript', message: read.fault }]);
    const name = values.name.trim();
    const body = { transcript: read.value, ...(name === '' ? {} : { name }) };
    const { data } = await call('importTranscript', { params: { id: suiteId }, body });
    say(data.count === 1 ? t('Made one case') : t('Made {count} cases', { count: formatNumber(data.count) }));
    onImported();
    onClose();
  });
  const { field, set, faultOf } = form;
  return (
    <Dialog title={t('Import a transcript')} isWide onClose={onClose}>
      <p class="small soft">
        {t(
          'A call of Vapi or Retell as their APIs give it, one of this service, or a list of roles and texts. The agent’s words of then are shown beside the new ones, and not compared.',
        )}
      </p>
      <SubmitForm form={form} shown={['name', 'transcript']} send={t('Make cases of it')} onCancel={onClose}>
        <FileField
          label={t('File')}
          hint={t('JSON; it is shown below.')}
          accept=".json,application/json"
          onChange={(file) => void file.text().then((text) => set('transcript', text))}
        />
        <div class="code-field">
          <TextArea
            label={t('Transcript, as JSON')}
            {...field('transcript')}
            fault={faultOf('transcript', true)}
            placeholder={EXAMPLE}
            rows={10}
          />
        </div>
        <TextField
          label={t('Name of the cases')}
          hint={t('Empty: Turn 1, Turn 2, …')}
          {...field('name')}
          limits={LIMITS.ImportTranscriptBody.name}
        />
      </SubmitForm>
    </Dialog>
  );
}

// Adds documents: pasted text, addresses, or files, which are sent one after the other.

import { useRef, useState } from 'preact/hooks';

import * as LIMITS from '../../api-limits.ts';
import type { AddDocumentBody } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { FilesField } from '../../ui/fields/file-field.tsx';
import { Card, Notice, Progress } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { faultOf } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { readDocument, uploadOf } from './document-file.ts';
import { ReadAddress } from './read-address.tsx';

interface AddProps {
  businessId: string;
  onAdded: () => void;
}

interface Sending {
  done: number;
  total: number;
  /** The file that is on its way. */
  name: string;
  /** A sentence for each file that was not added. */
  faults: string[];
}

export function AddDocuments({ businessId, onAdded }: AddProps) {
  const [isPasting, setPasting] = useState(false);
  const [isReading, setReading] = useState(false);
  const [sending, setSending] = useState<Sending | null>(null);
  const isBusy = sending !== null && sending.done < sending.total;
  const send = async (files: readonly File[]) => {
    const faults: string[] = [];
    for (const [done, file] of files.entries()) {
      setSending({ done, total: files.length, name: file.name, faults: [...faults] });
      try {
        await sendFile(businessId, file);
        onAdded();
      } catch (fault) {
        const { message, detail } = faultOf(fault);
        faults.push([`${file.name}: ${message}`, ...(detail === null ? [] : [detail])].join(' '));
      }
    }
    setSending({ done: files.length, total: files.length, name: '', faults });
  };
  return (
    <Card title={t('Add')}>
      <p class="small soft">
        {t(
          'Calls that begin afterwards are answered from it. Headings that say what callers ask help most: in Markdown, lines that begin with #.',
        )}
      </p>
      <FilesField
        label={t('Files')}
        hint={t('PDF, Word (.docx), web pages (.html), .txt or .md; several at a time. Only their words are kept.')}
        accept=".pdf,.docx,.html,.htm,.txt,.md,.markdown"
        disabled={isBusy}
        onChange={(files) => void send(files)}
      />
      {sending !== null && <Progressing sending={sending} />}
      <div class="row">
        <Button right="change" onClick={() => setPasting(true)}>
          {t('Paste a text')}
        </Button>
        <Button right="change" onClick={() => setReading(true)}>
          {t('Read from an address')}
        </Button>
      </div>
      {isPasting && <Paste businessId={businessId} onAdded={onAdded} onClose={() => setPasting(false)} />}
      {isReading && <ReadAddress businessId={businessId} onAdded={onAdded} onClose={() => setReading(false)} />}
    </Card>
  );
}

async function sendFile(businessId: string, file: File): Promise<void> {
  const params = { id: businessId };
  const form = uploadOf(file);
  if (form === null) await call('addDocument', { params, body: await readDocument(file) });
  else await call('uploadDocument', { params, body: form }, { idempotencyKey: crypto.randomUUID() });
}

function Progressing({ sending: { done, total, name, faults } }: { sending: Sending }) {
  const added = formatNumber(done - faults.length);
  return (
    <div class="stack tight">
      {total > 1 && <Progress label={t('Files sent')} value={done} max={total} />}
      <span role="status">
        {done < total
          ? t('Reading {name}: file {number} of {total} …', {
              name,
              number: formatNumber(done + 1),
              total: formatNumber(total),
            })
          : t('{count} added', { count: added })}
      </span>
      {faults.length > 0 && (
        <Notice tone="bad">
          <strong>{t('Not added')}</strong>
          {faults.map((fault) => (
            <span key={fault}>{fault}</span>
          ))}
        </Notice>
      )}
    </div>
  );
}

function Paste({ businessId, onAdded, onClose }: AddProps & { onClose: () => void }) {
  const initial: Required<Pick<AddDocumentBody, 'name' | 'kind' | 'text'>> = { name: '', kind: 'text', text: '' };
  const isKindChosen = useRef(false);
  const form = useForm(initial, async ({ values }) => {
    const { data } = await call('addDocument', { params: { id: businessId }, body: values });
    onAdded();
    onClose();
    say(t('Added {name}', { name: data.name }));
  });
  const { values, set, field } = form;
  return (
    <Dialog title={t('Paste a text')} isWide onClose={onClose}>
      <SubmitForm form={form} shown={['name', 'kind', 'text']} send={t('Add the document')} onCancel={onClose}>
        <TextField
          label={t('Name')}
          hint={t('The model is told it with each passage.')}
          {...field('name')}
          placeholder={t('Terms of warranty')}
          limits={LIMITS.AddDocumentBody.name}
          required
        />
        <div class="tall">
          <TextArea
            label={t('Text')}
            fault={form.faultOf('text')}
            value={values.text}
            onChange={(text) => {
              set('text', text);
              if (!isKindChosen.current) set('kind', /^#{1,6} /m.test(text) ? 'markdown' : 'text');
            }}
            rows={12}
            limits={LIMITS.AddDocumentBody.text}
          />
        </div>
        <Select
          label={t('Kind')}
          fault={form.faultOf('kind')}
          value={values.kind}
          onChange={(kind) => {
            isKindChosen.current = true;
            set('kind', kind);
          }}
          choices={[
            { value: 'text', text: t('Text') },
            { value: 'markdown', text: t('Markdown: lines that begin with # are headings') },
          ]}
        />
      </SubmitForm>
    </Dialog>
  );
}

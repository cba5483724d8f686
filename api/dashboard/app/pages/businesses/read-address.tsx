// Adds a document from an address, once or again and again.
import * as LIMITS from '../../api-limits.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { said, t, words } from '../../words/words.ts';

const HOURS = [
  { value: '', text: words('Only now') },
  { value: '1', text: words('Every hour') },
  { value: '24', text: words('Every day') },
  { value: '168', text: words('Every week') },
  { value: '720', text: words('Every 30 days') },
];

interface ReadAddressProps {
  businessId: string;
  onAdded: () => void;
  onClose: () => void;
}

export function ReadAddress({ businessId, onAdded, onClose }: ReadAddressProps) {
  const form = useForm({ name: '', url: '', refreshHours: '' }, async ({ values: { name, url, refreshHours } }) => {
    const body = { name, url: url.trim(), ...(refreshHours === '' ? {} : { refreshHours: Number(refreshHours) }) };
    const { data } = await call('addDocument', { params: { id: businessId }, body });
    onAdded();
    onClose();
    say(t('Added {name}', { name: data.name }));
  });
  const { field } = form;
  return (
    <Dialog title={t('Read from an address')} onClose={onClose}>
      <SubmitForm form={form} shown={['name', 'url', 'refreshHours']} send={t('Read it')} onCancel={onClose}>
        <TextField
          label={t('Web address')}
          hint={t('A page, a text, a PDF or a Word document, up to 5 MiB.')}
          {...field('url')}
          placeholder="https://shop.example/terms"
          limits={LIMITS.AddDocumentBody.url}
          required
        />
        <TextField
          label={t('Name')}
          hint={t('The model is told it with each passage.')}
          {...field('name')}
          placeholder={t('Terms')}
          limits={LIMITS.AddDocumentBody.name}
          required
        />
        <Select
          label={t('Read it again')}
          fault={form.faultOf('refreshHours')}
          value={form.values.refreshHours}
          onChange={(hours) => form.set('refreshHours', hours)}
          choices={said(HOURS)}
        />
      </SubmitForm>
    </Dialog>
  );
}

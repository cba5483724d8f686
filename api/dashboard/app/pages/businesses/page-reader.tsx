// Reads the business's own web page, shows the results, and fills in the missing fields.
import { useState } from 'preact/hooks';
import type { ApiError } from '../../client.ts';
import { call } from '../../client.ts';
import type { Form } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Card, Facts } from '../../ui/layout.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { say } from '../../ui/toast.tsx';
import { faultOf } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import type { BusinessValues } from './business-form.ts';
import { hoursText } from './hours.ts';
import { type Extracted, newFields } from './taken-over.ts';

const NAMES: Record<keyof Extracted, string> = {
  name: words('Name'),
  description: words('Description'),
  address: words('Address'),
  phone: words('Phone'),
  email: words('E-mail address'),
  hours: words('Opening hours'),
  services: words('Services'),
  faqs: words('Questions'),
};

export function PageReader({ businessId, form }: { businessId: string; form: Form<BusinessValues> }) {
  const [url, setUrl] = useState('');
  const [found, setFound] = useState<Extracted | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const read = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const { data } = await call('extractFromUrl', { params: { id: businessId }, body: { url, apply: false } });
      setFound(data.extracted);
    } catch (fault) {
      setError(faultOf(fault));
    }
    setBusy(false);
  };
  return (
    <Card title={t('Read from a web page')}>
      <form class="stack" onSubmit={(event) => void read(event)}>
        <TextField
          label={t('Address of the page')}
          hint={t('Fills what is still missing. You see it first; nothing that stands here is overwritten.')}
          type="url"
          value={url}
          onChange={setUrl}
          placeholder="https://www.example.com/contact"
          fault={error?.faults.find(({ field }) => field === 'url')?.message}
        />
        <ErrorNotice error={error} shown={['url']} />
        <div>
          <Button isBusy={isBusy} disabled={url.trim() === ''}>
            {isBusy ? t('Reading …') : t('Read the page')}
          </Button>
        </div>
      </form>
      {found !== null && <Found found={found} form={form} onClose={() => setFound(null)} />}
    </Card>
  );
}

function Found({ found, form, onClose }: { found: Extracted; form: Form<BusinessValues>; onClose: () => void }) {
  const taken = newFields(form.values, found);
  const names = (Object.keys(NAMES) as Array<keyof Extracted>).filter((name) => found[name] !== undefined);
  const count = Object.keys(taken).length;
  const takeOver = () => {
    for (const name of Object.keys(taken) as Array<keyof BusinessValues>) {
      const value = taken[name];
      if (value !== undefined) form.set(name, value);
    }
    onClose();
    say(
      count === 1
        ? t('Taken over one field. Look at it, then save.')
        : t('Taken over {count} fields. Look at them, then save.', { count }),
    );
  };
  return (
    <Dialog title={t('Found on the page')} isWide onClose={onClose}>
      {names.length === 0 && <p>{t('Nothing that can be used.')}</p>}
      <Facts
        facts={names.map((name) => [
          t(NAMES[name]),
          <div class={name in taken ? '' : 'soft'} key={name}>
            {textOf(found, name)}
            {!(name in taken) && <div class="small">{t('Not taken over: the business has its own.')}</div>}
          </div>,
        ])}
      />
      <div class="row">
        {count > 0 && (
          <Button look="primary" onClick={takeOver}>
            {t('Take over')}
          </Button>
        )}
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}

function textOf(found: Extracted, name: keyof Extracted): string {
  switch (name) {
    case 'hours':
      return hoursText(found.hours ?? []);
    case 'services':
      return (found.services ?? []).map((service) => service.name).join(', ');
    case 'faqs':
      return (found.faqs ?? []).map(({ question }) => question).join(' ');
    default:
      return found[name] ?? '';
  }
}

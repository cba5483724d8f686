// The dialog of a public key for web sites: its pages, what it allows, and its caps.
import * as LIMITS from '../../api-limits.ts';
import type { WidgetKey } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, NumberField, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { TagsField } from '../../ui/fields/tags-field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t, words } from '../../words/words.ts';

interface DialogProps {
  campaignId: string;
  /** Null: a new one. */
  known: WidgetKey | null;
  onSaved: () => void;
  onClose: () => void;
}

const WAYS = [
  ['call', words('Calls'), words('From the browser, with the visitor’s microphone')],
  ['text', words('Messages'), words('The agent answers in writing, and your team can take over')],
] as const;
const CAPS = [
  ['callsPerDay', words('Calls a day')],
  ['callsAtOnce', words('Calls at once')],
  ['minutesPerDay', words('Minutes a day')],
  ['messagesPerDay', words('Messages a day')],
] as const;
const FRESH = {
  ...{
    name: '',
    origins: [] as string[],
    allows: ['call', 'text'] as WidgetKey['allows'],
    captchaUrl: '',
  },
  ...{ callsPerDay: 100 as number | null, callsAtOnce: 5 as number | null },
  ...{ minutesPerDay: 300 as number | null, messagesPerDay: 1_000 as number | null },
  expiresAt: '',
};

function valuesOf(known: WidgetKey): typeof FRESH {
  const { name, origins, allows, captchaUrl, callsPerDay, callsAtOnce, minutesPerDay, messagesPerDay } = known;
  const caps = { callsPerDay, callsAtOnce, minutesPerDay, messagesPerDay };
  const expiresAt = known.expiresAt?.slice(0, 10) ?? '';
  return { name, origins, allows, captchaUrl: captchaUrl ?? '', ...caps, expiresAt };
}

/** Of what was changed; an empty cap is sent as it is, and refused with words. */
function bodyOf({ captchaUrl, expiresAt, ...same }: Partial<typeof FRESH>) {
  return {
    ...(same as Partial<WidgetKey>),
    ...(captchaUrl === undefined ? {} : { captchaUrl: captchaUrl.trim() || null }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === '' ? null : `${expiresAt}T23:59:59.000Z` }),
  };
}

export function WebsiteKeyDialog({ campaignId, known, onSaved, onClose }: DialogProps) {
  const form = useForm(
    known === null ? { ...FRESH, name: t('Web site') } : valuesOf(known),
    async ({ values, changes }) => {
      if (known === null) {
        const { name, origins } = values;
        await call('createWidgetKey', { body: { ...bodyOf(values), name, origins, campaignId } });
      } else await call('updateWidgetKey', { params: { id: known.id }, body: bodyOf(changes) });
      onSaved();
      onClose();
      say(t('The website key was saved'));
    },
  );
  const { origins, allows } = form.values;
  return (
    <Dialog
      title={known === null ? t('New website key') : t('Change “{name}”', { name: known.name })}
      isWide
      onClose={onClose}
    >
      <SubmitForm
        form={form}
        shown={['name', 'origins', 'allows', 'captchaUrl', 'expiresAt', ...CAPS.map(([name]) => name)]}
        send={known === null ? t('Make the key') : t('Save')}
        onCancel={onClose}
      >
        <TextField label={t('Name')} required limits={LIMITS.CreateWidgetKeyBody.name} {...form.field('name')} />
        <TagsField
          label={t('Pages')}
          hint={t('The beginning of their address, exactly: https://www.example.com. Enter or a comma ends one.')}
          placeholder="https://www.example.com"
          values={origins}
          onChange={(next) => form.set('origins', next)}
          fault={form.faultOf('origins', true)}
        />
        <Fieldset title={t('Visitors may begin')} fault={form.faultOf('allows', true)}>
          {WAYS.map(([way, label, hint]) => (
            <Checkbox
              key={way}
              label={t(label)}
              hint={t(hint)}
              value={allows.includes(way)}
              onChange={(may) =>
                form.set(
                  'allows',
                  WAYS.map(([each]) => each).filter((each) => (each === way ? may : allows.includes(each))),
                )
              }
            />
          ))}
        </Fieldset>
        <div class="parts two">
          {CAPS.map(([name, label]) => (
            <NumberField key={name} label={t(label)} required {...form.field(name)} />
          ))}
        </div>
        <TextField
          label={t('Captcha check')}
          hint={t('Empty: none. An https address of yours that is asked with the captcha’s token, and answers 2xx.')}
          type="url"
          {...form.field('captchaUrl')}
        />
        <TextField label={t('Last day')} hint={t('Empty: it does not end.')} type="date" {...form.field('expiresAt')} />
      </SubmitForm>
    </Dialog>
  );
}

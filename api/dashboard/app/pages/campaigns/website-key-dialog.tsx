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

interface DialogProps {
  campaignId: string;
  /** Null: a new one. */
  known: WidgetKey | null;
  onSaved: () => void;
  onClose: () => void;
}

const WAYS = [
  ['call', 'Calls', 'From the browser, with the visitor’s microphone'],
  ['text', 'Messages', 'The agent answers in writing, and your team can take over'],
] as const;
const CAPS = [
  ['callsPerDay', 'Calls a day'],
  ['callsAtOnce', 'Calls at once'],
  ['minutesPerDay', 'Minutes a day'],
  ['messagesPerDay', 'Messages a day'],
] as const;
const FRESH = {
  ...{ name: 'Web site', origins: [] as string[], allows: ['call', 'text'] as WidgetKey['allows'], captchaUrl: '' },
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
  const form = useForm(known === null ? FRESH : valuesOf(known), async ({ values, changes }) => {
    if (known === null) {
      const { name, origins } = values;
      await call('createWidgetKey', { body: { ...bodyOf(values), name, origins, campaignId } });
    } else await call('updateWidgetKey', { params: { id: known.id }, body: bodyOf(changes) });
    onSaved();
    onClose();
    say('The website key was saved');
  });
  const { origins, allows } = form.values;
  return (
    <Dialog title={known === null ? 'New website key' : `Change “${known.name}”`} isWide onClose={onClose}>
      <SubmitForm
        form={form}
        shown={['name', 'origins', 'allows', 'captchaUrl', 'expiresAt', ...CAPS.map(([name]) => name)]}
        send={known === null ? 'Make the key' : 'Save'}
        onCancel={onClose}
      >
        <TextField label="Name" required limits={LIMITS.CreateWidgetKeyBody.name} {...form.field('name')} />
        <TagsField
          label="Pages"
          hint="The beginning of their address, exactly: https://www.example.com. Enter or a comma ends one."
          placeholder="https://www.example.com"
          values={origins}
          onChange={(next) => form.set('origins', next)}
          fault={form.faultOf('origins', true)}
        />
        <Fieldset title="Visitors may begin" fault={form.faultOf('allows', true)}>
          {WAYS.map(([way, label, hint]) => (
            <Checkbox
              key={way}
              label={label}
              hint={hint}
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
            <NumberField key={name} label={label} required {...form.field(name)} />
          ))}
        </div>
        <TextField
          label="Captcha check"
          hint="Empty: none. An https address of yours that is asked with the captcha’s token, and answers 2xx."
          type="url"
          {...form.field('captchaUrl')}
        />
        <TextField label="Last day" hint="Empty: it does not end." type="date" {...form.field('expiresAt')} />
      </SubmitForm>
    </Dialog>
  );
}

// Connects a calendar: it is read while the owner waits, so that a wrong address or password is said at once.
import * as LIMITS from '../api-limits.ts';
import type { ConnectCalendarBody } from '../api-types.ts';
import { call } from '../client.ts';
import { type Form, useForm } from '../form.ts';
import { Checkbox, Select, TextField } from '../ui/fields/field.tsx';
import { Card } from '../ui/layout.tsx';
import { SubmitForm } from '../ui/submit-form.tsx';
import { say } from '../ui/toast.tsx';
import { said, t, words } from '../words/words.ts';
import { AccountSignIn, type SignIn } from './account-sign-in.tsx';

type Kind = ConnectCalendarBody['kind'];

interface Values {
  kind: Kind;
  signIn: SignIn | null;
  url: string;
  username: string;
  password: string;
  calendar: string;
  resource: string;
  writes: boolean;
  names: boolean;
}

const NONE: Values = {
  ...{ kind: 'google', url: '', username: '', password: '', calendar: '', resource: '', signIn: null },
  ...{ writes: true, names: true },
};
const SHOWN = ['url', 'username', 'password', 'calendar', 'resource', 'signIn'];

const CHOICES: ReadonlyArray<{ value: Kind; text: string }> = [
  { value: 'google', text: words('Google Calendar, read and written') },
  { value: 'microsoft', text: words('Microsoft 365 and Outlook.com, read and written') },
  { value: 'caldav', text: words('CalDAV, read and written: Nextcloud, iCloud, Fastmail, Radicale') },
  { value: 'ics', text: words('An address that is read: Google, Outlook, Apple (iCal)') },
];

export function ConnectCalendar({
  businessId,
  resources,
  onConnected,
}: {
  businessId: string;
  /** Names of the staff, as they are saved. */
  resources: readonly string[];
  onConnected: () => void;
}) {
  const form = useForm(NONE, async ({ values, reset }) => {
    const { data } = await call('connectCalendar', { params: { id: businessId }, body: bodyOf(values) });
    reset(NONE);
    say(t('Connected {name}', { name: data.name }));
    onConnected();
  });
  const { kind, signIn } = form.values;
  const isOfAccount = kind === 'google' || kind === 'microsoft';
  return (
    <Card title={t('Connect a calendar')}>
      <SubmitForm form={form} shown={SHOWN} send={t('Connect')} disabled={isOfAccount && signIn?.state !== 'done'}>
        <Select
          label={t('What it is')}
          value={kind}
          onChange={(next) => form.reset({ ...form.values, kind: next, signIn: null, calendar: '' })}
          choices={said(CHOICES)}
        />
        {isOfAccount ? <AccountFields key={kind} kind={kind} form={form} /> : <AddressFields kind={kind} form={form} />}
        {resources.length > 0 && (
          <Select
            label={t('Whose it is')}
            hint={t("Somebody's own calendar takes their time alone.")}
            fault={form.faultOf('resource')}
            value={form.values.resource}
            onChange={(resource) => form.set('resource', resource)}
            choices={[
              { value: '', text: t('The whole business') },
              ...resources.map((name) => ({ value: name, text: name })),
            ]}
          />
        )}
      </SubmitForm>
    </Card>
  );
}

const HINT = words(
  'Google: Settings, the calendar, “Secret address in iCal format”. Outlook: Shared calendars, “Publish a calendar”, ICS.',
);

function AddressFields({ kind, form }: { kind: 'ics' | 'caldav'; form: Form<Values> }) {
  const isDav = kind === 'caldav';
  return (
    <>
      <TextField
        label={isDav ? t('Address of the server or of the calendar') : t('Secret address in iCal format')}
        hint={isDav ? t('As for a telephone or a desktop calendar.') : t(HINT)}
        type="url"
        {...form.field('url')}
        placeholder={isDav ? 'https://cloud.example.com/remote.php/dav/' : 'https://calendar.google.com/…/basic.ics'}
        limits={LIMITS.ConnectCalendarBody.url}
        required
      />
      {isDav && <DavFields form={form} />}
    </>
  );
}

function AccountFields({ kind, form }: { kind: 'google' | 'microsoft'; form: Form<Values> }) {
  const { signIn, calendar } = form.values;
  const chosen = signIn?.calendars.find(({ id }) => id === calendar);
  const onSignedIn = (done: SignIn): void => {
    form.set('signIn', done);
    form.set('calendar', done.calendars[0]?.id ?? '');
  };
  return (
    <>
      <AccountSignIn kind={kind} onSignedIn={onSignedIn} />
      {signIn !== null && (
        <Select
          label={t('Calendar')}
          fault={form.faultOf('calendar')}
          value={calendar}
          onChange={(id) => form.set('calendar', id)}
          choices={signIn.calendars.map(({ id, name, isWritable }) => ({
            value: id,
            text: isWritable ? name : t('{name} (read only)', { name }),
          }))}
        />
      )}
      {chosen?.isWritable === true && <WritingFields form={form} />}
    </>
  );
}

function DavFields({ form }: { form: Form<Values> }) {
  return (
    <>
      <TextField
        label={t('User name')}
        {...form.field('username')}
        limits={LIMITS.ConnectCalendarBody.username}
        autocomplete="off"
        required
      />
      <TextField
        label={t('App password')}
        hint={t('One of its own for this, where the server has them. It is kept sealed and shown to nobody.')}
        type="password"
        {...form.field('password')}
        limits={LIMITS.ConnectCalendarBody.password}
        autocomplete="new-password"
        required
      />
      <TextField
        label={t('Name of the calendar')}
        hint={t('Only where the server has several.')}
        {...form.field('calendar')}
        limits={LIMITS.ConnectCalendarBody.calendar}
      />
      <WritingFields form={form} />
    </>
  );
}

function WritingFields({ form }: { form: Form<Values> }) {
  return (
    <>
      <Checkbox
        label={t('Write appointments there')}
        value={form.values.writes}
        onChange={(writes) => form.set('writes', writes)}
      />
      {form.values.writes && (
        <Checkbox
          label={t("With the caller's name and number")}
          value={form.values.names}
          onChange={(names) => form.set('names', names)}
        />
      )}
    </>
  );
}

function bodyOf(values: Values): ConnectCalendarBody {
  const { kind, url, username, password, calendar, resource, writes, names, signIn } = values;
  const whose = resource === '' ? {} : { resource };
  if (kind === 'google' || kind === 'microsoft') {
    const isWritable = signIn?.calendars.find(({ id }) => id === calendar)?.isWritable === true;
    return { kind, signIn: signIn?.id ?? '', calendar, writes: writes && isWritable, names, ...whose };
  }
  if (kind === 'ics') return { kind, url, ...whose };
  return { kind, url, username, password, writes, names, ...whose, ...(calendar === '' ? {} : { calendar }) };
}

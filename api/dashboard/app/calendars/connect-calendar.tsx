// Connects a calendar: it is read while the owner waits, so that a wrong address or password is said at once.
import * as LIMITS from '../api-limits.ts';
import type { CalendarAccounts, ConnectCalendarBody } from '../api-types.ts';
import { call } from '../client.ts';
import { type Form, useForm } from '../form.ts';
import { Checkbox, Select, TextField } from '../ui/fields/field.tsx';
import { Card, Notice } from '../ui/layout.tsx';
import { Answer } from '../ui/status.tsx';
import { SubmitForm } from '../ui/submit-form.tsx';
import { say } from '../ui/toast.tsx';
import { useApi } from '../use-api.ts';
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

const noneOf = (kind: Kind): Values => ({
  ...{ kind, url: '', username: '', password: '', calendar: '', resource: '', signIn: null },
  ...{ writes: true, names: true },
});
const SHOWN = ['url', 'username', 'password', 'calendar', 'resource', 'signIn'];

const CHOICES: ReadonlyArray<{ value: Kind; text: string }> = [
  { value: 'google', text: words('Google Calendar, read and written') },
  { value: 'microsoft', text: words('Microsoft 365 and Outlook.com, read and written') },
  { value: 'caldav', text: words('CalDAV, read and written: Nextcloud, iCloud, Fastmail, Radicale') },
  { value: 'ics', text: words('An address that is read: Google, Outlook, Apple (iCal)') },
];

/** An account can be signed in to where the installation has an application there; all else works everywhere. */
const works = (kind: Kind, accounts: CalendarAccounts): boolean =>
  kind === 'google' || kind === 'microsoft' ? accounts[kind] : true;

interface Props {
  businessId: string;
  /** Names of the staff, as they are saved. */
  resources: readonly string[];
  onConnected: () => void;
}

export function ConnectCalendar(props: Props) {
  const accounts = useApi('getCalendarAccounts', {});
  return (
    <Card title={t('Connect a calendar')}>
      <Answer of={accounts}>{({ data }) => <ConnectForm {...props} accounts={data} />}</Answer>
    </Card>
  );
}

function ConnectForm({ businessId, resources, onConnected, accounts }: Props & { accounts: CalendarAccounts }) {
  const choices = [true, false].flatMap((isWorking) =>
    said(CHOICES)
      .filter(({ value }) => works(value, accounts) === isWorking)
      .map(({ value, text }) => ({ value, text: isWorking ? text : t('{text} (not set up here)', { text }) })),
  );
  const none = noneOf(choices[0]?.value ?? 'caldav');
  const form = useForm(none, async ({ values, reset }) => {
    const { data } = await call('connectCalendar', { params: { id: businessId }, body: bodyOf(values) });
    reset(none);
    say(t('Connected {name}', { name: data.name }));
    onConnected();
  });
  const { kind, signIn } = form.values;
  const isOfAccount = kind === 'google' || kind === 'microsoft';
  return (
    <SubmitForm form={form} shown={SHOWN} send={t('Connect')} disabled={isOfAccount && signIn?.state !== 'done'}>
      <Select
        label={t('What it is')}
        value={kind}
        onChange={(next) => form.reset({ ...form.values, kind: next, signIn: null, calendar: '' })}
        choices={choices}
      />
      {!works(kind, accounts) && <NotSetUp kind={kind} />}
      {!isOfAccount && <AddressFields kind={kind} form={form} />}
      {isOfAccount && works(kind, accounts) && <AccountFields key={kind} kind={kind} form={form} />}
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
  );
}

function NotSetUp({ kind }: { kind: Kind }) {
  const name = kind === 'google' ? 'Google' : 'Microsoft';
  return (
    <Notice tone="warn">
      {t(
        'Nobody can sign in to {name} yet: whoever runs this service registers an application there first (docs/calendars.md). Until then, a calendar of {name} can be read by its address in iCal format.',
        { name },
      )}
    </Notice>
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

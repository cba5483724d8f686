// Every field of a trunk, in the order of a provider's data sheet.

import type { ComponentChildren } from 'preact';
import type { VoiceCodecName } from '../../../../../db/domain/trunk-defaults.ts';
import * as LIMITS from '../../api-limits.ts';
import type { Form } from '../../form.ts';
import { Checkbox, NumberField, Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { OrderField } from '../../ui/fields/order-field.tsx';
import { TrunkField } from '../../ui/fields/record-field.tsx';
import { Card } from '../../ui/layout.tsx';
import { t, words } from '../../words/words.ts';
import type { TrunkValues } from './trunk-values.ts';

export function TrunkFields({ form, id }: { form: Form<TrunkValues>; id?: string }) {
  return (
    <>
      <Provider form={form} />
      <Account form={form} isNew={id === undefined} />
      <Numbers form={form} />
      <Media form={form} />
      <Limits form={form} {...(id === undefined ? {} : { id })} />
    </>
  );
}

type Part = { form: Form<TrunkValues> };
type TextName = Exclude<
  {
    [K in keyof TrunkValues]: TrunkValues[K] extends string ? (string extends TrunkValues[K] ? K : never) : never;
  }[keyof TrunkValues],
  'inboundAllow'
>;

/** A text field of the form by its name. */
const text = (
  { values, set, faultOf }: Form<TrunkValues>,
  name: TextName,
  label: string,
  hint?: ComponentChildren,
  more: { required?: boolean; placeholder?: string; autocomplete?: string; type?: 'password' } = {},
) => (
  <TextField
    label={label}
    hint={hint}
    value={values[name]}
    fault={faultOf(name)}
    onChange={(value) => set(name, value)}
    autocomplete="off"
    limits={LIMITS.CreateTrunkBody[name]}
    {...more}
  />
);

function Provider({ form }: Part) {
  const { field } = form;
  return (
    <Card>
      <Fieldset title={t('Provider or PBX')}>
        {text(form, 'name', t('Name'), undefined, { required: true, placeholder: 'sipgate' })}
        <div class="columns">
          {text(form, 'host', t('Host'), t('Name or address; calls from its addresses are taken'), {
            required: true,
            placeholder: 'sip.example.com',
          })}
          <NumberField
            label={t('Port')}
            hint={t("5060: the provider's own records come first")}
            limits={LIMITS.CreateTrunkBody.port}
            {...field('port')}
          />
          <Select
            label={t('Transport')}
            {...field('transport')}
            choices={[
              { value: 'udp', text: 'UDP' },
              { value: 'tcp', text: 'TCP' },
              { value: 'tls', text: 'TLS' },
            ]}
          />
        </div>
        <div class="columns">
          {text(form, 'outboundProxy', t('Outbound proxy'), t('host:port or SIP URI, if all requests go through one'))}
          {text(form, 'fromDomain', t('Domain'), t('Of From, To and REGISTER, where it is not the host'))}
        </div>
      </Fieldset>
    </Card>
  );
}

function Account({ form, isNew }: Part & { isNew: boolean }) {
  const { values, set, faultOf, field } = form;
  return (
    <Card>
      <Fieldset title={t('Account')} hint={t('Leave it empty where the provider knows you by your address.')}>
        <div class="columns">
          {text(form, 'username', t('User name'))}
          {text(
            form,
            'password',
            t('Password'),
            isNew ? t('Stored encrypted, never shown again') : t('Empty: it stays as it is. It is never shown.'),
            { type: 'password', autocomplete: 'new-password' },
          )}
          {text(form, 'authUsername', t('User name for digest'), t('If it differs'))}
        </div>
        <Checkbox
          label={t('Register')}
          hint={t('Sends REGISTER and renews it, so that the provider finds this service; needs a user name')}
          {...field('register')}
        />
        {faultOf('register') !== undefined && <span class="small fault">{faultOf('register')}</span>}
        <TextArea
          label={t('Other networks that may send calls')}
          hint={t("One CIDR a line, as 192.76.120.10/32: the provider's signalling addresses")}
          value={values.inboundAllow}
          fault={faultOf('inboundAllow', true)}
          onChange={(value) => set('inboundAllow', value)}
        />
      </Fieldset>
    </Card>
  );
}

function Numbers({ form }: Part) {
  const { field } = form;
  return (
    <Card>
      <Fieldset title={t('How numbers are written')}>
        <div class="columns">
          <Select
            label={t('Called numbers')}
            {...field('dialFormat')}
            choices={[
              { value: 'e164', text: '+493012345' },
              { value: '00', text: '00493012345' },
              { value: 'national', text: t('03012345 within the country') },
            ]}
          />
          {text(form, 'country', t('Country'), t('Two letters: of numbers that come without a country code'), {
            placeholder: 'DE',
          })}
          <Select
            label={t('Numbers of incoming calls')}
            hint={t('Where digits are valid both ways: E.164 without its plus, or as they are dialled in the country')}
            {...field('inboundFormat')}
            choices={[
              { value: 'auto', text: t('By the numbers that are yours') },
              { value: 'e164', text: t('Always E.164') },
              { value: 'national', text: t('As they are dialled') },
            ]}
          />
          {text(form, 'dialPrefix', t('Prefix'), t('Put before each number, e.g. the digit for an outside line'))}
          <Select
            label={t('Our number stands in')}
            {...field('callerIdHeader')}
            choices={[
              { value: 'from', text: 'From' },
              { value: 'pai', text: 'P-Asserted-Identity' },
              { value: 'both', text: t('Both') },
            ]}
          />
        </div>
      </Fieldset>
    </Card>
  );
}

const CODECS: ReadonlyArray<{ value: VoiceCodecName; text: string; hint: string }> = [
  { value: 'PCMU', text: 'PCMU', hint: words('G.711, speech up to 3.4 kHz: every carrier and telephone has it') },
  { value: 'PCMA', text: 'PCMA', hint: words('G.711 as used in Europe') },
  { value: 'G722', text: 'G722', hint: words('Wideband, up to 7 kHz: most desk telephones and PBXs') },
  { value: 'OPUS', text: 'OPUS', hint: words('Wideband, up to 8 kHz: softphones; survives packet loss') },
];

function Media({ form }: Part) {
  const { values, set, faultOf, field } = form;
  return (
    <Card>
      <OrderField<VoiceCodecName>
        label={t('Codecs')}
        hint={t(
          'In the order in which they are offered. Telephone networks carry G.711; add the others for a PBX, or a carrier with HD voice.',
        )}
        value={values.codecs}
        fault={values.codecs.length === 0 ? t('Choose at least one.') : faultOf('codecs', true)}
        onChange={(codecs) => set('codecs', codecs)}
        choices={CODECS.map((codec) => ({ ...codec, hint: t(codec.hint) }))}
      />
      <Fieldset title={t('Encryption')} fault={faultOf('srtp')}>
        <Checkbox
          label={t('Encrypt it (SDES-SRTP)')}
          hint={t('Only with TLS, since the keys are in the signalling. Calls without it are refused.')}
          {...field('srtp')}
        />
      </Fieldset>
    </Card>
  );
}

function Limits({ form, id }: Part & { id?: string }) {
  const { field } = form;
  return (
    <Card>
      <Fieldset title={t('Limits and backup')}>
        <div class="columns">
          <NumberField
            label={t('Calls at a time')}
            limits={LIMITS.CreateTrunkBody.maxConcurrentCalls}
            {...field('maxConcurrentCalls')}
          />
          <NumberField
            label={t('Outbound calls a second')}
            hint={t('Providers refuse calls that come faster than they allow')}
            limits={LIMITS.CreateTrunkBody.callsPerSecond}
            {...field('callsPerSecond')}
          />
        </div>
        <TrunkField
          label={t('Backup')}
          hint={t('Tried when this trunk fails before anything rang')}
          none={t('None')}
          except={id}
          {...field('backupTrunkId')}
        />
        <Checkbox
          label={t('Ask whether it is up (OPTIONS)')}
          hint={t('Off for a peer that never answers OPTIONS: it would count as down.')}
          {...field('optionsPing')}
        />
        <Checkbox
          label={t('Transfer by its side (REFER)')}
          hint={t(
            'Off for a carrier that takes no REFER: a blind transfer is then a second call, joined to the first here.',
          )}
          {...field('acceptsRefer')}
        />
      </Fieldset>
    </Card>
  );
}

/** Fields that show their own faults. */
export const TRUNK_FIELDS = [
  'name',
  'host',
  'port',
  'transport',
  'outboundProxy',
  'fromDomain',
  'username',
  'password',
  'authUsername',
  'register',
  'inboundAllow',
  'country',
  'inboundFormat',
  'dialFormat',
  'dialPrefix',
  'callerIdHeader',
  'codecs',
  'srtp',
  'optionsPing',
  'acceptsRefer',
  'maxConcurrentCalls',
  'callsPerSecond',
  'backupTrunkId',
];

// The trunk of a connected account, made in one step; again, it is brought to what is asked for now.
import type { Carrier } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Checkbox, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import { CARRIERS } from './carrier-words.ts';

const WORDS = /[\s,]+/;

export function CarrierTrunk({ carrier, onMade }: { carrier: Carrier; onMade: () => void }) {
  const { id, kind, trunkId } = carrier;
  const form = useForm({ secure: false, countries: 'US CA', inboundAllow: '' }, async ({ values }) => {
    const inboundAllow = values.inboundAllow.split(WORDS).filter((word) => word !== '');
    const countries = values.countries.split(WORDS).filter((word) => word !== '');
    const { data } = await call('makeCarrierTrunk', {
      params: { id },
      body: {
        secure: values.secure,
        ...(inboundAllow.length === 0 ? {} : { inboundAllow }),
        ...(kind === 'telnyx' && countries.length > 0 ? { countries } : {}),
      },
    });
    say(t('{name} is in use', { name: data.name }));
    onMade();
  });
  const { name } = CARRIERS[kind];
  return (
    <Card
      title={t('The trunk')}
      actions={
        trunkId !== null && <ButtonLink href={link(`/admin/trunks/${trunkId}`)}>{t('Open the trunk')}</ButtonLink>
      }
    >
      <p>
        {trunkId === null
          ? t('One step makes the trunk at {name} and here: its credentials, its addresses, and where calls go.', {
              name,
            })
          : t('It is made, there and here. Asking again changes it and makes nothing twice.')}
      </p>
      <SubmitForm
        form={form}
        shown={['countries', 'inboundAllow']}
        look={trunkId === null ? 'primary' : 'normal'}
        send={trunkId === null ? t('Make the trunk') : t('Make it again')}
      >
        <Checkbox
          label={t('Encrypted, both ways')}
          hint={
            kind === 'telnyx'
              ? t('Signalling by TLS, media by SRTP.')
              : t('TLS and SRTP. It needs a certificate (SIP_TLS_PORT).')
          }
          {...form.field('secure')}
        />
        {kind === 'telnyx' && (
          <TextField
            label={t('Countries that may be called')}
            hint={t('In two letters each, as in US CA GB')}
            {...form.field('countries')}
            fault={form.faultOf('countries', true)}
          />
        )}
        {kind === 'plivo' && (
          <TextArea
            label={t('Addresses from which Plivo calls')}
            hint={t('As its console lists them for your region, one a line')}
            {...form.field('inboundAllow')}
            fault={form.faultOf('inboundAllow', true)}
          />
        )}
      </SubmitForm>
    </Card>
  );
}

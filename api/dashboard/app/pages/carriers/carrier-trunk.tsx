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
    say(`${data.name} is in use`);
    onMade();
  });
  const { name } = CARRIERS[kind];
  return (
    <Card
      title="The trunk"
      actions={trunkId !== null && <ButtonLink href={link(`/admin/trunks/${trunkId}`)}>Open the trunk</ButtonLink>}
    >
      <p>
        {trunkId === null
          ? `One step makes the trunk at ${name} and here: its credentials, its addresses, and where calls go.`
          : 'It is made, there and here. Asking again changes it and makes nothing twice.'}
      </p>
      <SubmitForm
        form={form}
        shown={['countries', 'inboundAllow']}
        look={trunkId === null ? 'primary' : 'normal'}
        send={trunkId === null ? 'Make the trunk' : 'Make it again'}
      >
        <Checkbox
          label="Encrypted, both ways"
          hint={
            kind === 'telnyx'
              ? 'Signalling by TLS, media by SRTP.'
              : 'TLS and SRTP. It needs a certificate (SIP_TLS_PORT).'
          }
          {...form.field('secure')}
        />
        {kind === 'telnyx' && (
          <TextField
            label="Countries that may be called"
            hint="In two letters each, as in US CA GB"
            {...form.field('countries')}
            fault={form.faultOf('countries', true)}
          />
        )}
        {kind === 'plivo' && (
          <TextArea
            label="Addresses from which Plivo calls"
            hint="As its console lists them for your region, one a line"
            {...form.field('inboundAllow')}
            fault={form.faultOf('inboundAllow', true)}
          />
        )}
      </SubmitForm>
    </Card>
  );
}

// The page that connects an account at a carrier: its key, tested at once.
import type { Carrier } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { go, link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/fields/field.tsx';
import { Card, Page } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { CARRIERS, KINDS } from './carrier-words.ts';

const EMPTY: { kind: Carrier['kind']; keyId: string; key: string } = { kind: 'twilio', keyId: '', key: '' };

export default function CarrierNewPage() {
  const form = useForm(EMPTY, async ({ values: { kind, keyId, key } }) => {
    const body = { kind, key, ...(CARRIERS[kind].keyId === null ? {} : { keyId }) };
    const { data } = await call('createCarrier', { body });
    // The page of the account shows what it said.
    await call('testCarrier', { params: { id: data.id } }).catch(() => undefined);
    say(`${data.name} is connected`);
    go(link(`/admin/carriers/${data.id}`), { replace: true });
  });
  const words = CARRIERS[form.values.kind];
  return (
    <Page
      title="Connect a carrier"
      lead="The key is kept encrypted and is never shown again."
      back={{ href: link('/admin/carriers'), text: 'Carriers' }}
    >
      <SubmitForm
        form={form}
        shown={['kind', 'keyId', 'key']}
        send="Connect and test"
        beside={<ButtonLink href={link('/admin/carriers')}>Cancel</ButtonLink>}
      >
        <Card>
          <Select
            label="Carrier"
            {...form.field('kind')}
            choices={KINDS.map((value) => ({ value, text: CARRIERS[value].name }))}
          />
          {words.keyId !== null && (
            <TextField label={words.keyId} autocomplete="off" required {...form.field('keyId')} />
          )}
          <TextField
            label={words.key}
            hint={words.where}
            type="password"
            autocomplete="off"
            required
            {...form.field('key')}
          />
        </Card>
      </SubmitForm>
    </Page>
  );
}

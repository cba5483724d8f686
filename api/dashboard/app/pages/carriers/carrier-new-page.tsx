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
import { t } from '../../words/words.ts';
import { CARRIERS, KINDS } from './carrier-words.ts';

const EMPTY: { kind: Carrier['kind']; keyId: string; key: string } = { kind: 'twilio', keyId: '', key: '' };

export default function CarrierNewPage() {
  const form = useForm(EMPTY, async ({ values: { kind, keyId, key } }) => {
    const body = { kind, key, ...(CARRIERS[kind].keyId === null ? {} : { keyId }) };
    const { data } = await call('createCarrier', { body });
    // The page of the account shows what it said.
    await call('testCarrier', { params: { id: data.id } }).catch(() => undefined);
    say(t('{name} is connected', { name: data.name }));
    go(link(`/admin/carriers/${data.id}`), { replace: true });
  });
  const words = CARRIERS[form.values.kind];
  return (
    <Page
      title={t('Connect a carrier')}
      lead={t('The key is kept encrypted and is never shown again.')}
      back={{ href: link('/admin/carriers'), text: t('Carriers') }}
    >
      <SubmitForm
        form={form}
        shown={['kind', 'keyId', 'key']}
        send={t('Connect and test')}
        beside={<ButtonLink href={link('/admin/carriers')}>{t('Cancel')}</ButtonLink>}
      >
        <Card>
          <Select
            label={t('Carrier')}
            {...form.field('kind')}
            choices={KINDS.map((value) => ({ value, text: CARRIERS[value].name }))}
          />
          {words.keyId !== null && (
            <TextField label={words.keyId} autocomplete="off" required {...form.field('keyId')} />
          )}
          <TextField
            label={t(words.key)}
            hint={t(words.where)}
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

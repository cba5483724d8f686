// One contact, by hand. A number that the campaign has already is merged, and the reader hears of it.
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Rows } from '../../ui/rows.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { say } from '../../ui/toast.tsx';
import type { ContactInput } from './contacts-csv.ts';

const AT = 'contacts[0]';

export function ContactDialog({
  campaignId,
  onAdded,
  onClose,
}: {
  campaignId: string;
  onAdded: (warnings: readonly string[]) => void;
  onClose: () => void;
}) {
  const first = { phoneNumber: '', name: '', email: '', variables: [] as Array<{ name: string; value: string }> };
  const form = useForm(first, async ({ values }) => {
    const { name, email, variables } = values;
    const given = variables.filter((variable) => variable.name !== '').map((each) => [each.name, each.value]);
    const contact: ContactInput = {
      phoneNumber: values.phoneNumber.replace(/[\s().-]/g, ''),
      ...(name.trim() === '' ? {} : { name }),
      ...(email.trim() === '' ? {} : { email }),
      ...(given.length === 0 ? {} : { variables: Object.fromEntries(given) }),
    };
    const { data, warnings } = await call('addContacts', { params: { id: campaignId }, body: { contacts: [contact] } });
    const text = name.trim() === '' ? contact.phoneNumber : name;
    say(data.merged > 0 ? `${text} was there already: merged` : `Added ${text}`);
    onAdded(warnings ?? []);
    onClose();
  });
  const { values, set, faultOf } = form;
  return (
    <Dialog title="Add a contact" onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField
          label="Phone number"
          hint="With the country's code: +44 20 7946 0123"
          type="tel"
          fault={faultOf(`${AT}.phoneNumber`)}
          value={values.phoneNumber}
          onChange={(value) => set('phoneNumber', value)}
          maxLength={30}
          required
        />
        <TextField
          label="Name"
          fault={faultOf(`${AT}.name`)}
          value={values.name}
          onChange={(value) => set('name', value)}
          maxLength={200}
        />
        <TextField
          label="E-mail address"
          type="email"
          fault={faultOf(`${AT}.email`)}
          value={values.email}
          onChange={(value) => set('email', value)}
          maxLength={254}
        />
        <Rows
          items={values.variables}
          onChange={(variables) => set('variables', variables)}
          fresh={() => ({ name: '', value: '' })}
          itemName="variable"
          addText="Add a variable"
        >
          {(variable, _, change) => (
            <div class="parts two">
              <TextField
                label="Variable"
                value={variable.name}
                onChange={(name) => change({ name })}
                maxLength={64}
                fault={/^[A-Za-z0-9_]*$/.test(variable.name) ? undefined : 'Only letters, digits and _'}
              />
              <TextField
                label="Value"
                value={variable.value}
                onChange={(value) => change({ value })}
                maxLength={1000}
              />
            </div>
          )}
        </Rows>
        <ErrorNotice error={form.error} shown={[`${AT}.phoneNumber`, `${AT}.name`, `${AT}.email`]} />
        <div class="row">
          <Button look="primary" isBusy={form.isSending}>
            Add the contact
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

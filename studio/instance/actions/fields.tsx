/** The fields of each action. What is typed is kept as text by the dialog. */
import { type ReactNode, useEffect } from 'react';
import type { Values } from './action.ts';
import * as choices from './choices.ts';
import { Check, type FieldsProps, Select, Text, Value } from './field-parts.tsx';
import { MigrateFields } from './migrate-fields.tsx';

export function Fields(props: FieldsProps): ReactNode {
  switch (props.verb) {
    case 'cancel':
      return <Check {...props} name="saga" label="First undo what was done" />;
    case 'retry':
      return <TokenField {...props} none="all that failed" />;
    case 'skip':
      return (
        <>
          <TokenField {...props} />
          <Value {...props} name="result" label="Its result" hint="JSON; empty for none" />
        </>
      );
    case 'wake':
      return <WakeFields {...props} />;
    case 'set':
      return <SetFields {...props} />;
    case 'send':
      return (
        <>
          <Text {...props} name="type" label="Type of the message" />
          <Value {...props} name="data" label="Data" hint="JSON; empty for none" />
        </>
      );
    default:
      return <PlaceFields {...props} />;
  }
}

function PlaceFields(props: FieldsProps): ReactNode {
  const { verb, plan, instance, values } = props;
  if (verb === 'move') {
    const list = choices.beside(plan, instance, values['token'] ?? '');
    return (
      <>
        <TokenField {...props} />
        <Select {...props} name="to" label="Goes on at" list={list} />
      </>
    );
  }
  if (verb === 'rerun') {
    return (
      <>
        <Select {...props} name="from" label="From the node" list={choices.nodeChoices(plan)} />
        <Check {...props} name="copy" label="As a copy: this one stays as it is" />
        {values['copy'] === 'yes' ? (
          <Text {...props} name="key" label="Business key of the copy, if it has one" />
        ) : null}
      </>
    );
  }
  return verb === 'migrate' ? <MigrateFields {...props} /> : null;
}

function WakeFields(props: FieldsProps): ReactNode {
  const arms = choices.armChoices(props.instance, props.values['token'] ?? '');
  return (
    <>
      <TokenField {...props} />
      {arms.length === 0 ? null : (
        <Select {...props} name="arm" label="Which of them has come" list={arms} />
      )}
      <Value {...props} name="data" label="Data it is given" hint="JSON; empty for none" />
      <Value {...props} name="vars" label="Variables set with it" hint="A JSON object, or empty" />
    </>
  );
}

function SetFields(props: FieldsProps): ReactNode {
  const { instance, values, onChange } = props;
  const scope = instance.scopes.find(({ id }) => String(id) === values['scope']);
  const vars = scope?.vars ?? {};
  const choose = (patch: Values): void => {
    const known = vars[patch['name'] ?? ''];
    // What it is now is where one begins, unless something was typed already.
    const isFresh = known !== undefined && (values['value'] ?? '') === '';
    onChange(isFresh ? { ...patch, value: JSON.stringify(known, null, 2) } : patch);
  };
  const list = choices.scopeChoices(instance);
  return (
    <>
      {list.length < 2 ? null : <Select {...props} name="scope" label="Of" list={list} />}
      <Text {...props} name="name" label="Variable" onChange={choose} known={Object.keys(vars)} />
      <Value {...props} name="value" label="Value" hint={'JSON: text stands in "quotes"'} />
    </>
  );
}

function TokenField(props: FieldsProps & { readonly none?: string }): ReactNode {
  const { verb, instance, now, values, onChange, none } = props;
  const list = choices.tokenChoices(verb, instance, now);
  const [only] = list;
  // Where there is no choice, there is nothing to choose; unless none means all of them.
  const isChosen = list.length !== 1 || none !== undefined || (values['token'] ?? '') !== '';
  useEffect(() => {
    if (!isChosen && only !== undefined) onChange({ token: only.value });
  }, [isChosen, only, onChange]);
  return <Select {...props} name="token" label="Token" list={list} />;
}

import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Rules = ReturnType<Storage['getTargetValidationMetadatas']>;
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- as class-validator names classes
type Class = Function;

/**
 * class-validator looks through the rules of every class of the program each time it validates: what it finds for a class is
 * kept from here on. Rules come with their classes and do not change.
 */
export function keepKnownRules(): void {
  const storage = getMetadataStorage();
  const known = new WeakMap<Class, Rules>();
  const look = storage.getTargetValidationMetadatas.bind(storage);
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (schema || always || strictGroups || groups) return look(target, schema, always, strictGroups, groups);
    const found = known.get(target);
    if (found) return found;
    const rules = look(target, schema, always, strictGroups, groups);
    known.set(target, rules);
    return rules;
  };
}

// The Python types of the schemas. An object in a schema becomes a class, named after the place where it stands.
import { componentOf, type Schema } from '../open-api.js';
import { literal, pascalCase, singularOf } from './names.js';

/** How a kind of file writes types. */
export interface Dialect {
  listOf: string;
  mapOf: string;
}

/** What a response contains: its classes are `@dataclass`. */
export const OUTPUT: Dialect = { listOf: 'List', mapOf: 'Dict' };
/** What a request takes: any list and any mapping of the right content. */
export const INPUT: Dialect = { listOf: 'Sequence', mapOf: 'Mapping' };

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

export class PythonTypes {
  /** The classes in the order of their first use, by name. */
  readonly classes = new Map<string, Schema>();
  /** Names for a choice of types, by name. */
  readonly unions = new Map<string, string[]>();

  constructor(
    private readonly components: Readonly<Record<string, Schema>>,
    private readonly dialect: Dialect,
  ) {}

  /** The type of a component. Its class is written as well. */
  component(name: string): string {
    const schema = this.components[name];
    if (!schema) throw new Error(`the document has no component ${name}`);
    const choices = choicesOf(schema);
    if (!choices && !schema.properties) return this.typeOf(schema, name);
    if (!choices) this.addClass(name, schema);
    else if (!this.unions.has(name)) this.addUnion(name, choices);
    return name;
  }

  /** `where` names the class, if the schema needs one. */
  typeOf(schema: Schema, where: string): string {
    if (schema.$ref !== undefined) return this.component(componentOf(schema, where));
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const choices = choicesOf(schema);
    if (choices) return this.unionOf(this.memberTypes(where, choices));
    if (Array.isArray(schema.type)) return this.unionOf(schema.type.map((type) => this.typeOf({ type }, where)));
    return this.singleTypeOf(schema, where);
  }

  /** The members of a choice. Those without a type accept anything, and say nothing of what is meant. */
  private memberTypes(where: string, choices: readonly Schema[], isNamed = false): string[] {
    const typed = choices.filter((choice) => Object.keys(choice).length > 0);
    const objects = typed.map((choice) => this.resolved(choice)).filter(({ properties }) => properties);
    return typed.map((choice) => this.typeOf(choice, memberName(where, choice, objects, isNamed)));
  }

  private resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (this.components[componentOf(schema, schema.$ref)] ?? {});
  }

  private singleTypeOf(schema: Schema, where: string): string {
    const { listOf, mapOf } = this.dialect;
    if (schema.type === 'array') return `${listOf}[${this.typeOf(schema.items ?? {}, singularOf(where))}]`;
    if (schema.type !== 'object') return SIMPLE[String(schema.type)] ?? 'object';
    if (schema.properties) return this.addClass(where, schema);
    const { additionalProperties: values } = schema;
    return `${mapOf}[str, ${typeof values === 'object' ? this.typeOf(values, singularOf(where)) : 'object'}]`;
  }

  private unionOf(types: readonly string[]): string {
    const all = [...new Set(types)];
    const others = all.filter((type) => type !== 'None');
    const union = others.length === 1 ? (others[0] ?? '') : `Union[${others.join(', ')}]`;
    if (others.length === all.length) return union;
    return others.length === 0 ? 'None' : `Optional[${union}]`;
  }

  private addUnion(name: string, choices: readonly Schema[]): void {
    this.unions.set(name, []);
    this.unions.set(name, this.memberTypes(name, choices, true));
  }

  private addClass(name: string, schema: Schema): string {
    const known = this.classes.get(name);
    if (known !== undefined && known !== schema) throw new Error(`two classes would have the name ${name}`);
    if (known !== undefined) return name;
    this.classes.set(name, schema);
    for (const [property, inner] of Object.entries(schema.properties ?? {}))
      this.typeOf(inner, name + pascalCase(property));
    return name;
  }
}

const choicesOf = ({ anyOf, oneOf }: Schema): Schema[] | undefined => anyOf ?? oneOf;

/**
 * The name of a member of a union. It follows from the constant that distinguishes the members, or from a property that only this member requires. The first one has the name of
 * the place, unless the choice as a whole has it.
 */
function memberName(where: string, member: Schema, objects: readonly Schema[], isNamed: boolean): string {
  const type = member.properties?.['type']?.const;
  if (typeof type === 'string' && objects.length > 1) return where + pascalCase(type);
  if (!isNamed && (objects.length < 2 || member === objects[0])) return where;
  const others = new Set(objects.filter((one) => one !== member).flatMap(({ required = [] }) => required));
  const [own] = (member.required ?? []).filter((name) => !others.has(name));
  return own === undefined ? where : `${where}With${pascalCase(own)}`;
}

/** Injection token of the ObjectStore port: `@Inject(OBJECT_STORE) store: ObjectStore`. */
export const OBJECT_STORE = Symbol('object store');

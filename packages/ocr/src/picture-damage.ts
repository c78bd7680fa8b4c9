/** The picture cannot be decoded. */
export class PictureDamage extends Error {}

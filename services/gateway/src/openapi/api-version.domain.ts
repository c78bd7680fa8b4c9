/** The version of the API, in the OpenAPI document and for agents. */
export const API_VERSION = '0.2.0';

# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
API_VERSION = "0.2.0"

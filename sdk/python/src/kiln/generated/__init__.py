# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.

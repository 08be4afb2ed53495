// @ts-nocheck
/**
 * Whether a value has the shape of a Serverless Workflow definition. Made from schema.ts by
 * `node scripts/serverless-schema.ts`. Not to be edited.
 */
import type { Validate } from './violation.ts';

function add(found, one) {
if(found === null){
return [one];
}
found.push(one);
return found;
}
export const validateWorkflow: Validate = validate0;
const pattern0 = new RegExp("^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$", "u");
const pattern1 = new RegExp("^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$", "u");
const pattern4 = new RegExp("^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$", "u");
const pattern5 = new RegExp("[\\s\\S]", "u");

function validate6(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/basic/type",keyword:"type",params:{type: "object"}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.use === undefined) && (missing0 = "use")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.use === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/basic/then/required",keyword:"required",params:{missingProperty: "use"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "use")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/basic/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.use !== undefined){
let data0 = data.use;
if(typeof data0 === "string"){
if(!pattern5.test(data0)){
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/basic/then/properties/use/pattern",keyword:"pattern",params:{pattern: "[\\s\\S]"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/basic/then/properties/use/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/basic/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.username === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/basic/else/required",keyword:"required",params:{missingProperty: "username"}});
errors++;
}
if(data.password === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/basic/else/required",keyword:"required",params:{missingProperty: "password"}});
errors++;
}
for(const key1 in data){
if(!((key1 === "username") || (key1 === "password"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/basic/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/username",schemaPath:"#/$defs/basic/else/properties/username/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/password",schemaPath:"#/$defs/basic/else/properties/password/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/basic/else/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs8 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/basic/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate6.errors = vErrors;
return errors === 0;
}


function validate8(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/bearer/type",keyword:"type",params:{type: "object"}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.use === undefined) && (missing0 = "use")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.use === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/bearer/then/required",keyword:"required",params:{missingProperty: "use"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "use")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/bearer/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.use !== undefined){
let data0 = data.use;
if(typeof data0 === "string"){
if(!pattern5.test(data0)){
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/bearer/then/properties/use/pattern",keyword:"pattern",params:{pattern: "[\\s\\S]"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/bearer/then/properties/use/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/bearer/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.token === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/bearer/else/required",keyword:"required",params:{missingProperty: "token"}});
errors++;
}
for(const key1 in data){
if(!(key1 === "token")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/bearer/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data.token !== undefined){
if(typeof data.token !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/token",schemaPath:"#/$defs/bearer/else/properties/token/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/bearer/else/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs8 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/bearer/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate8.errors = vErrors;
return errors === 0;
}


function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/digest/type",keyword:"type",params:{type: "object"}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.use === undefined) && (missing0 = "use")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.use === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/digest/then/required",keyword:"required",params:{missingProperty: "use"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "use")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/digest/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.use !== undefined){
let data0 = data.use;
if(typeof data0 === "string"){
if(!pattern5.test(data0)){
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/digest/then/properties/use/pattern",keyword:"pattern",params:{pattern: "[\\s\\S]"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/digest/then/properties/use/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/digest/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.username === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/digest/else/required",keyword:"required",params:{missingProperty: "username"}});
errors++;
}
if(data.password === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/digest/else/required",keyword:"required",params:{missingProperty: "password"}});
errors++;
}
for(const key1 in data){
if(!((key1 === "username") || (key1 === "password"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/digest/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/username",schemaPath:"#/$defs/digest/else/properties/username/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/password",schemaPath:"#/$defs/digest/else/properties/password/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/digest/else/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs8 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/digest/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

const schema9 = {"type":"object","description":"an object: OAuth2 authentication, or { use: … } with the name of a secret","if":{"required":["use"]},"then":{"type":"object","title":"OAuth2 authentication by a secret","properties":{"use":{"type":"string","description":"a name","pattern":"[\\s\\S]"}},"required":["use"],"additionalProperties":false},"else":{"type":"object","title":"OAuth2 authentication","properties":{"authority":{"type":"string","description":"a URI without spaces (a template may have {names}), or an expression \"${ … }\"","pattern":"^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"},"grant":{"type":"string","description":"one of authorization_code, client_credentials, password, refresh_token, urn:ietf:params:oauth:grant-type:token-exchange","enum":["authorization_code","client_credentials","password","refresh_token","urn:ietf:params:oauth:grant-type:token-exchange"]},"client":{"type":"object","title":"a client","properties":{"id":{"type":"string","description":"text"},"secret":{"type":"string","description":"text"},"assertion":{"type":"string","description":"text"},"authentication":{"type":"string","description":"one of client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, none","enum":["client_secret_basic","client_secret_post","client_secret_jwt","private_key_jwt","none"]}},"required":[],"additionalProperties":false},"request":{"type":"object","title":"a request for a token","properties":{"encoding":{"type":"string","description":"one of application/x-www-form-urlencoded, application/json","enum":["application/x-www-form-urlencoded","application/json"]}},"required":[],"additionalProperties":false,"x-open":true},"issuers":{"type":"array","description":"a list of texts","items":{"type":"string","description":"text"}},"scopes":{"type":"array","description":"a list of texts","items":{"type":"string","description":"text"}},"audiences":{"type":"array","description":"a list of texts","items":{"type":"string","description":"text"}},"username":{"type":"string","description":"text"},"password":{"type":"string","description":"text"},"subject":{"$ref":"#/$defs/token"},"actor":{"$ref":"#/$defs/token"},"endpoints":{"type":"object","title":"the \"endpoints\" of an authority","properties":{"token":{"type":"string","description":"a path such as /oauth2/token"},"revocation":{"type":"string","description":"a path such as /oauth2/token"},"introspection":{"type":"string","description":"a path such as /oauth2/token"}},"required":[],"additionalProperties":false,"x-open":true}},"required":[],"additionalProperties":false}};
const func0 = Object.prototype.hasOwnProperty;

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.token === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/token/required",keyword:"required",params:{missingProperty: "token"}});
errors++;
}
if(data.type === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/token/required",keyword:"required",params:{missingProperty: "type"}});
errors++;
}
for(const key0 in data){
if(!((key0 === "token") || (key0 === "type"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/token/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.token !== undefined){
if(typeof data.token !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/token",schemaPath:"#/$defs/token/properties/token/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.type !== undefined){
if(typeof data.type !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/type",schemaPath:"#/$defs/token/properties/type/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/token/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}


function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oauth2/type",keyword:"type",params:{type: "object"}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.use === undefined) && (missing0 = "use")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.use === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oauth2/then/required",keyword:"required",params:{missingProperty: "use"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "use")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oauth2/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.use !== undefined){
let data0 = data.use;
if(typeof data0 === "string"){
if(!pattern5.test(data0)){
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/oauth2/then/properties/use/pattern",keyword:"pattern",params:{pattern: "[\\s\\S]"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/oauth2/then/properties/use/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oauth2/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key1 in data){
if(!(func0.call(schema9.else.properties, key1))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oauth2/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data.authority !== undefined){
let data1 = data.authority;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
vErrors = add(vErrors, {instancePath:instancePath+"/authority",schemaPath:"#/$defs/oauth2/else/properties/authority/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/authority",schemaPath:"#/$defs/oauth2/else/properties/authority/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.grant !== undefined){
let data2 = data.grant;
if(typeof data2 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/grant",schemaPath:"#/$defs/oauth2/else/properties/grant/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((((data2 === "authorization_code") || (data2 === "client_credentials")) || (data2 === "password")) || (data2 === "refresh_token")) || (data2 === "urn:ietf:params:oauth:grant-type:token-exchange"))){
vErrors = add(vErrors, {instancePath:instancePath+"/grant",schemaPath:"#/$defs/oauth2/else/properties/grant/enum",keyword:"enum",params:{}});
errors++;
}
}
if(data.client !== undefined){
let data3 = data.client;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key2 in data3){
if(!((((key2 === "id") || (key2 === "secret")) || (key2 === "assertion")) || (key2 === "authentication"))){
vErrors = add(vErrors, {instancePath:instancePath+"/client",schemaPath:"#/$defs/oauth2/else/properties/client/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data3.id !== undefined){
if(typeof data3.id !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/id",schemaPath:"#/$defs/oauth2/else/properties/client/properties/id/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data3.secret !== undefined){
if(typeof data3.secret !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/secret",schemaPath:"#/$defs/oauth2/else/properties/client/properties/secret/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data3.assertion !== undefined){
if(typeof data3.assertion !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/assertion",schemaPath:"#/$defs/oauth2/else/properties/client/properties/assertion/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data3.authentication !== undefined){
let data7 = data3.authentication;
if(typeof data7 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/authentication",schemaPath:"#/$defs/oauth2/else/properties/client/properties/authentication/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((((data7 === "client_secret_basic") || (data7 === "client_secret_post")) || (data7 === "client_secret_jwt")) || (data7 === "private_key_jwt")) || (data7 === "none"))){
vErrors = add(vErrors, {instancePath:instancePath+"/client/authentication",schemaPath:"#/$defs/oauth2/else/properties/client/properties/authentication/enum",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/client",schemaPath:"#/$defs/oauth2/else/properties/client/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.request !== undefined){
let data8 = data.request;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key3 in data8){
if(!(key3 === "encoding")){
vErrors = add(vErrors, {instancePath:instancePath+"/request",schemaPath:"#/$defs/oauth2/else/properties/request/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}});
errors++;
}
}
if(data8.encoding !== undefined){
let data9 = data8.encoding;
if(typeof data9 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/request/encoding",schemaPath:"#/$defs/oauth2/else/properties/request/properties/encoding/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!((data9 === "application/x-www-form-urlencoded") || (data9 === "application/json"))){
vErrors = add(vErrors, {instancePath:instancePath+"/request/encoding",schemaPath:"#/$defs/oauth2/else/properties/request/properties/encoding/enum",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/request",schemaPath:"#/$defs/oauth2/else/properties/request/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.issuers !== undefined){
let data10 = data.issuers;
if(Array.isArray(data10)){
const len0 = data10.length;
for(let i0=0; i0<len0; i0++){
if(typeof data10[i0] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/issuers/" + i0,schemaPath:"#/$defs/oauth2/else/properties/issuers/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/issuers",schemaPath:"#/$defs/oauth2/else/properties/issuers/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.scopes !== undefined){
let data12 = data.scopes;
if(Array.isArray(data12)){
const len1 = data12.length;
for(let i1=0; i1<len1; i1++){
if(typeof data12[i1] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/scopes/" + i1,schemaPath:"#/$defs/oauth2/else/properties/scopes/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/scopes",schemaPath:"#/$defs/oauth2/else/properties/scopes/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.audiences !== undefined){
let data14 = data.audiences;
if(Array.isArray(data14)){
const len2 = data14.length;
for(let i2=0; i2<len2; i2++){
if(typeof data14[i2] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/audiences/" + i2,schemaPath:"#/$defs/oauth2/else/properties/audiences/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/audiences",schemaPath:"#/$defs/oauth2/else/properties/audiences/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/username",schemaPath:"#/$defs/oauth2/else/properties/username/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/password",schemaPath:"#/$defs/oauth2/else/properties/password/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.subject !== undefined){
if(!(validate13(data.subject, {instancePath:instancePath+"/subject",parentData:data,parentDataProperty:"subject",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
if(data.actor !== undefined){
if(!(validate13(data.actor, {instancePath:instancePath+"/actor",parentData:data,parentDataProperty:"actor",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
if(data.endpoints !== undefined){
let data20 = data.endpoints;
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
for(const key4 in data20){
if(!(((key4 === "token") || (key4 === "revocation")) || (key4 === "introspection"))){
vErrors = add(vErrors, {instancePath:instancePath+"/endpoints",schemaPath:"#/$defs/oauth2/else/properties/endpoints/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}});
errors++;
}
}
if(data20.token !== undefined){
if(typeof data20.token !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/endpoints/token",schemaPath:"#/$defs/oauth2/else/properties/endpoints/properties/token/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data20.revocation !== undefined){
if(typeof data20.revocation !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/endpoints/revocation",schemaPath:"#/$defs/oauth2/else/properties/endpoints/properties/revocation/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data20.introspection !== undefined){
if(typeof data20.introspection !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/endpoints/introspection",schemaPath:"#/$defs/oauth2/else/properties/endpoints/properties/introspection/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/endpoints",schemaPath:"#/$defs/oauth2/else/properties/endpoints/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oauth2/else/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs8 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oauth2/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}

const schema11 = {"type":"object","description":"an object: OpenID Connect authentication, or { use: … } with the name of a secret","if":{"required":["use"]},"then":{"type":"object","title":"OpenID Connect authentication by a secret","properties":{"use":{"type":"string","description":"a name","pattern":"[\\s\\S]"}},"required":["use"],"additionalProperties":false},"else":{"type":"object","title":"OpenID Connect authentication","properties":{"authority":{"type":"string","description":"a URI without spaces (a template may have {names}), or an expression \"${ … }\"","pattern":"^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"},"grant":{"type":"string","description":"one of authorization_code, client_credentials, password, refresh_token, urn:ietf:params:oauth:grant-type:token-exchange","enum":["authorization_code","client_credentials","password","refresh_token","urn:ietf:params:oauth:grant-type:token-exchange"]},"client":{"type":"object","title":"a client","properties":{"id":{"type":"string","description":"text"},"secret":{"type":"string","description":"text"},"assertion":{"type":"string","description":"text"},"authentication":{"type":"string","description":"one of client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, none","enum":["client_secret_basic","client_secret_post","client_secret_jwt","private_key_jwt","none"]}},"required":[],"additionalProperties":false},"request":{"type":"object","title":"a request for a token","properties":{"encoding":{"type":"string","description":"one of application/x-www-form-urlencoded, application/json","enum":["application/x-www-form-urlencoded","application/json"]}},"required":[],"additionalProperties":false,"x-open":true},"issuers":{"type":"array","description":"a list of texts","items":{"type":"string","description":"text"}},"scopes":{"type":"array","description":"a list of texts","items":{"type":"string","description":"text"}},"audiences":{"type":"array","description":"a list of texts","items":{"type":"string","description":"text"}},"username":{"type":"string","description":"text"},"password":{"type":"string","description":"text"},"subject":{"$ref":"#/$defs/token"},"actor":{"$ref":"#/$defs/token"}},"required":[],"additionalProperties":false}};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oidc/type",keyword:"type",params:{type: "object"}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.use === undefined) && (missing0 = "use")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.use === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oidc/then/required",keyword:"required",params:{missingProperty: "use"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "use")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oidc/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.use !== undefined){
let data0 = data.use;
if(typeof data0 === "string"){
if(!pattern5.test(data0)){
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/oidc/then/properties/use/pattern",keyword:"pattern",params:{pattern: "[\\s\\S]"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/oidc/then/properties/use/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oidc/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key1 in data){
if(!(func0.call(schema11.else.properties, key1))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oidc/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data.authority !== undefined){
let data1 = data.authority;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
vErrors = add(vErrors, {instancePath:instancePath+"/authority",schemaPath:"#/$defs/oidc/else/properties/authority/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/authority",schemaPath:"#/$defs/oidc/else/properties/authority/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.grant !== undefined){
let data2 = data.grant;
if(typeof data2 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/grant",schemaPath:"#/$defs/oidc/else/properties/grant/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((((data2 === "authorization_code") || (data2 === "client_credentials")) || (data2 === "password")) || (data2 === "refresh_token")) || (data2 === "urn:ietf:params:oauth:grant-type:token-exchange"))){
vErrors = add(vErrors, {instancePath:instancePath+"/grant",schemaPath:"#/$defs/oidc/else/properties/grant/enum",keyword:"enum",params:{}});
errors++;
}
}
if(data.client !== undefined){
let data3 = data.client;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key2 in data3){
if(!((((key2 === "id") || (key2 === "secret")) || (key2 === "assertion")) || (key2 === "authentication"))){
vErrors = add(vErrors, {instancePath:instancePath+"/client",schemaPath:"#/$defs/oidc/else/properties/client/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data3.id !== undefined){
if(typeof data3.id !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/id",schemaPath:"#/$defs/oidc/else/properties/client/properties/id/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data3.secret !== undefined){
if(typeof data3.secret !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/secret",schemaPath:"#/$defs/oidc/else/properties/client/properties/secret/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data3.assertion !== undefined){
if(typeof data3.assertion !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/assertion",schemaPath:"#/$defs/oidc/else/properties/client/properties/assertion/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data3.authentication !== undefined){
let data7 = data3.authentication;
if(typeof data7 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/authentication",schemaPath:"#/$defs/oidc/else/properties/client/properties/authentication/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((((data7 === "client_secret_basic") || (data7 === "client_secret_post")) || (data7 === "client_secret_jwt")) || (data7 === "private_key_jwt")) || (data7 === "none"))){
vErrors = add(vErrors, {instancePath:instancePath+"/client/authentication",schemaPath:"#/$defs/oidc/else/properties/client/properties/authentication/enum",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/client",schemaPath:"#/$defs/oidc/else/properties/client/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.request !== undefined){
let data8 = data.request;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key3 in data8){
if(!(key3 === "encoding")){
vErrors = add(vErrors, {instancePath:instancePath+"/request",schemaPath:"#/$defs/oidc/else/properties/request/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}});
errors++;
}
}
if(data8.encoding !== undefined){
let data9 = data8.encoding;
if(typeof data9 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/request/encoding",schemaPath:"#/$defs/oidc/else/properties/request/properties/encoding/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!((data9 === "application/x-www-form-urlencoded") || (data9 === "application/json"))){
vErrors = add(vErrors, {instancePath:instancePath+"/request/encoding",schemaPath:"#/$defs/oidc/else/properties/request/properties/encoding/enum",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/request",schemaPath:"#/$defs/oidc/else/properties/request/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.issuers !== undefined){
let data10 = data.issuers;
if(Array.isArray(data10)){
const len0 = data10.length;
for(let i0=0; i0<len0; i0++){
if(typeof data10[i0] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/issuers/" + i0,schemaPath:"#/$defs/oidc/else/properties/issuers/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/issuers",schemaPath:"#/$defs/oidc/else/properties/issuers/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.scopes !== undefined){
let data12 = data.scopes;
if(Array.isArray(data12)){
const len1 = data12.length;
for(let i1=0; i1<len1; i1++){
if(typeof data12[i1] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/scopes/" + i1,schemaPath:"#/$defs/oidc/else/properties/scopes/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/scopes",schemaPath:"#/$defs/oidc/else/properties/scopes/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.audiences !== undefined){
let data14 = data.audiences;
if(Array.isArray(data14)){
const len2 = data14.length;
for(let i2=0; i2<len2; i2++){
if(typeof data14[i2] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/audiences/" + i2,schemaPath:"#/$defs/oidc/else/properties/audiences/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/audiences",schemaPath:"#/$defs/oidc/else/properties/audiences/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/username",schemaPath:"#/$defs/oidc/else/properties/username/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/password",schemaPath:"#/$defs/oidc/else/properties/password/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.subject !== undefined){
if(!(validate13(data.subject, {instancePath:instancePath+"/subject",parentData:data,parentDataProperty:"subject",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
if(data.actor !== undefined){
if(!(validate13(data.actor, {instancePath:instancePath+"/actor",parentData:data,parentDataProperty:"actor",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oidc/else/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs8 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/oidc/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate17.errors = vErrors;
return errors === 0;
}


function validate5(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.use === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authenticationOrUse/oneOf/0/required",keyword:"required",params:{missingProperty: "use"}});
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.basic === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authenticationOrUse/oneOf/1/required",keyword:"required",params:{missingProperty: "basic"}});
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.bearer === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authenticationOrUse/oneOf/2/required",keyword:"required",params:{missingProperty: "bearer"}});
errors++;
}
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
}
const _errs5 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.digest === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authenticationOrUse/oneOf/3/required",keyword:"required",params:{missingProperty: "digest"}});
errors++;
}
}
var _valid0 = _errs5 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
}
const _errs6 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.oauth2 === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authenticationOrUse/oneOf/4/required",keyword:"required",params:{missingProperty: "oauth2"}});
errors++;
}
}
var _valid0 = _errs6 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 4];
}
else {
if(_valid0){
valid0 = true;
passing0 = 4;
}
const _errs7 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.oidc === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authenticationOrUse/oneOf/5/required",keyword:"required",params:{missingProperty: "oidc"}});
errors++;
}
}
var _valid0 = _errs7 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 5];
}
else {
if(_valid0){
valid0 = true;
passing0 = 5;
}
}
}
}
}
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authenticationOrUse/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((((key0 === "basic") || (key0 === "bearer")) || (key0 === "digest")) || (key0 === "oauth2")) || (key0 === "oidc")) || (key0 === "use"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authenticationOrUse/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.basic !== undefined){
if(!(validate6(data.basic, {instancePath:instancePath+"/basic",parentData:data,parentDataProperty:"basic",rootData}))){
vErrors = vErrors === null ? validate6.errors : vErrors.concat(validate6.errors);
errors = vErrors.length;
}
}
if(data.bearer !== undefined){
if(!(validate8(data.bearer, {instancePath:instancePath+"/bearer",parentData:data,parentDataProperty:"bearer",rootData}))){
vErrors = vErrors === null ? validate8.errors : vErrors.concat(validate8.errors);
errors = vErrors.length;
}
}
if(data.digest !== undefined){
if(!(validate10(data.digest, {instancePath:instancePath+"/digest",parentData:data,parentDataProperty:"digest",rootData}))){
vErrors = vErrors === null ? validate10.errors : vErrors.concat(validate10.errors);
errors = vErrors.length;
}
}
if(data.oauth2 !== undefined){
if(!(validate12(data.oauth2, {instancePath:instancePath+"/oauth2",parentData:data,parentDataProperty:"oauth2",rootData}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
}
if(data.oidc !== undefined){
if(!(validate17(data.oidc, {instancePath:instancePath+"/oidc",parentData:data,parentDataProperty:"oidc",rootData}))){
vErrors = vErrors === null ? validate17.errors : vErrors.concat(validate17.errors);
errors = vErrors.length;
}
}
if(data.use !== undefined){
let data5 = data.use;
if(typeof data5 === "string"){
if(!pattern5.test(data5)){
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/authenticationOrUse/properties/use/pattern",keyword:"pattern",params:{pattern: "[\\s\\S]"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/$defs/authenticationOrUse/properties/use/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authenticationOrUse/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate5.errors = vErrors;
return errors === 0;
}


function validate4(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if((!(data && typeof data == "object" && !Array.isArray(data))) && (typeof data !== "string")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endpoint/type",keyword:"type",params:{}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.uri === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endpoint/then/required",keyword:"required",params:{missingProperty: "uri"}});
errors++;
}
for(const key0 in data){
if(!((key0 === "uri") || (key0 === "authentication"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endpoint/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.uri !== undefined){
let data0 = data.uri;
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
vErrors = add(vErrors, {instancePath:instancePath+"/uri",schemaPath:"#/$defs/endpoint/then/properties/uri/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/uri",schemaPath:"#/$defs/endpoint/then/properties/uri/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.authentication !== undefined){
if(!(validate5(data.authentication, {instancePath:instancePath+"/authentication",parentData:data,parentDataProperty:"authentication",rootData}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endpoint/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs10 = errors;
if(typeof data === "string"){
if(!pattern4.test(data)){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endpoint/else/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endpoint/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid0 = _errs10 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endpoint/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate4.errors = vErrors;
return errors === 0;
}


function validate3(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.endpoint === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/resource/required",keyword:"required",params:{missingProperty: "endpoint"}});
errors++;
}
for(const key0 in data){
if(!((key0 === "name") || (key0 === "endpoint"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/resource/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/name",schemaPath:"#/$defs/resource/properties/name/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.endpoint !== undefined){
if(!(validate4(data.endpoint, {instancePath:instancePath+"/endpoint",parentData:data,parentDataProperty:"endpoint",rootData}))){
vErrors = vErrors === null ? validate4.errors : vErrors.concat(validate4.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/resource/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate3.errors = vErrors;
return errors === 0;
}


function validate2(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/dataSchema/oneOf/0/required",keyword:"required",params:{missingProperty: "document"}});
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.resource === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/dataSchema/oneOf/1/required",keyword:"required",params:{missingProperty: "resource"}});
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/dataSchema/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((key0 === "format") || (key0 === "document")) || (key0 === "resource"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/dataSchema/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.format !== undefined){
if(typeof data.format !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/format",schemaPath:"#/$defs/dataSchema/properties/format/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.resource !== undefined){
if(!(validate3(data.resource, {instancePath:instancePath+"/resource",parentData:data,parentDataProperty:"resource",rootData}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/dataSchema/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate2.errors = vErrors;
return errors === 0;
}


function validate1(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "schema") || (key0 === "from"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/input/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.schema !== undefined){
if(!(validate2(data.schema, {instancePath:instancePath+"/schema",parentData:data,parentDataProperty:"schema",rootData}))){
vErrors = vErrors === null ? validate2.errors : vErrors.concat(validate2.errors);
errors = vErrors.length;
}
}
if(data.from !== undefined){
let data1 = data.from;
if((typeof data1 !== "string") && (!(data1 && typeof data1 == "object" && !Array.isArray(data1)))){
vErrors = add(vErrors, {instancePath:instancePath+"/from",schemaPath:"#/$defs/input/properties/from/type",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/input/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate1.errors = vErrors;
return errors === 0;
}


function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.basic === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authentication/oneOf/0/required",keyword:"required",params:{missingProperty: "basic"}});
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.bearer === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authentication/oneOf/1/required",keyword:"required",params:{missingProperty: "bearer"}});
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.digest === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authentication/oneOf/2/required",keyword:"required",params:{missingProperty: "digest"}});
errors++;
}
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
}
const _errs5 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.oauth2 === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authentication/oneOf/3/required",keyword:"required",params:{missingProperty: "oauth2"}});
errors++;
}
}
var _valid0 = _errs5 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
}
const _errs6 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.oidc === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authentication/oneOf/4/required",keyword:"required",params:{missingProperty: "oidc"}});
errors++;
}
}
var _valid0 = _errs6 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 4];
}
else {
if(_valid0){
valid0 = true;
passing0 = 4;
}
}
}
}
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authentication/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((((key0 === "basic") || (key0 === "bearer")) || (key0 === "digest")) || (key0 === "oauth2")) || (key0 === "oidc"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authentication/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.basic !== undefined){
if(!(validate6(data.basic, {instancePath:instancePath+"/basic",parentData:data,parentDataProperty:"basic",rootData}))){
vErrors = vErrors === null ? validate6.errors : vErrors.concat(validate6.errors);
errors = vErrors.length;
}
}
if(data.bearer !== undefined){
if(!(validate8(data.bearer, {instancePath:instancePath+"/bearer",parentData:data,parentDataProperty:"bearer",rootData}))){
vErrors = vErrors === null ? validate8.errors : vErrors.concat(validate8.errors);
errors = vErrors.length;
}
}
if(data.digest !== undefined){
if(!(validate10(data.digest, {instancePath:instancePath+"/digest",parentData:data,parentDataProperty:"digest",rootData}))){
vErrors = vErrors === null ? validate10.errors : vErrors.concat(validate10.errors);
errors = vErrors.length;
}
}
if(data.oauth2 !== undefined){
if(!(validate12(data.oauth2, {instancePath:instancePath+"/oauth2",parentData:data,parentDataProperty:"oauth2",rootData}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
}
if(data.oidc !== undefined){
if(!(validate17(data.oidc, {instancePath:instancePath+"/oidc",parentData:data,parentDataProperty:"oidc",rootData}))){
vErrors = vErrors === null ? validate17.errors : vErrors.concat(validate17.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/authentication/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}


function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.endpoint === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/catalog/required",keyword:"required",params:{missingProperty: "endpoint"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "endpoint")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/catalog/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.endpoint !== undefined){
if(!(validate4(data.endpoint, {instancePath:instancePath+"/endpoint",parentData:data,parentDataProperty:"endpoint",rootData}))){
vErrors = vErrors === null ? validate4.errors : vErrors.concat(validate4.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/catalog/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate33.errors = vErrors;
return errors === 0;
}

const pattern15 = new RegExp("^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?:/(?:[^~/]|~[01])*)*$", "u");

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/error/required",keyword:"required",params:{missingProperty: "type"}});
errors++;
}
if(data.status === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/error/required",keyword:"required",params:{missingProperty: "status"}});
errors++;
}
for(const key0 in data){
if(!(((((key0 === "type") || (key0 === "status")) || (key0 === "instance")) || (key0 === "title")) || (key0 === "detail"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/error/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
vErrors = add(vErrors, {instancePath:instancePath+"/type",schemaPath:"#/$defs/error/properties/type/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/type",schemaPath:"#/$defs/error/properties/type/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.status !== undefined){
let data1 = data.status;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
vErrors = add(vErrors, {instancePath:instancePath+"/status",schemaPath:"#/$defs/error/properties/status/type",keyword:"type",params:{type: "integer"}});
errors++;
}
}
if(data.instance !== undefined){
let data2 = data.instance;
if(typeof data2 === "string"){
if(!pattern15.test(data2)){
vErrors = add(vErrors, {instancePath:instancePath+"/instance",schemaPath:"#/$defs/error/properties/instance/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?:/(?:[^~/]|~[01])*)*$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/instance",schemaPath:"#/$defs/error/properties/instance/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/title",schemaPath:"#/$defs/error/properties/title/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.detail !== undefined){
if(typeof data.detail !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/detail",schemaPath:"#/$defs/error/properties/detail/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/error/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate36.errors = vErrors;
return errors === 0;
}

const schema17 = {"if":{"properties":{"call":{"const":"http"}}},"then":{"type":"object","title":"a call of http","properties":{"call":{"type":"string","description":"text"},"with":{"$ref":"#/$defs/httpCall"},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["call","with"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]},"else":{"if":{"properties":{"call":{"const":"openapi"}}},"then":{"type":"object","title":"a call of openapi","properties":{"call":{"type":"string","description":"text"},"with":{"$ref":"#/$defs/openapiCall"},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["call","with"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]},"else":{"if":{"properties":{"call":{"const":"grpc"}}},"then":{"type":"object","title":"a call of grpc","properties":{"call":{"type":"string","description":"text"},"with":{"$ref":"#/$defs/grpcCall"},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["call","with"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]},"else":{"if":{"properties":{"call":{"const":"asyncapi"}}},"then":{"type":"object","title":"a call of asyncapi","properties":{"call":{"type":"string","description":"text"},"with":{"$ref":"#/$defs/asyncapiCall"},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["call","with"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]},"else":{"if":{"properties":{"call":{"const":"a2a"}}},"then":{"type":"object","title":"a call of a2a","properties":{"call":{"type":"string","description":"text"},"with":{"$ref":"#/$defs/a2aCall"},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["call","with"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]},"else":{"if":{"properties":{"call":{"const":"mcp"}}},"then":{"type":"object","title":"a call of mcp","properties":{"call":{"type":"string","description":"text"},"with":{"$ref":"#/$defs/mcpCall"},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["call","with"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]},"else":{"type":"object","title":"a call of a function","properties":{"call":{"type":"string","description":"the name of a function"},"with":{"type":"object","description":"an object","additionalProperties":{}},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["call"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]}}}}}}};
const pattern16 = new RegExp("^\\s*\\$\\{[\\s\\S]+\\}\\s*$", "u");

function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.method === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/httpCall/required",keyword:"required",params:{missingProperty: "method"}});
errors++;
}
if(data.endpoint === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/httpCall/required",keyword:"required",params:{missingProperty: "endpoint"}});
errors++;
}
for(const key0 in data){
if(!(((((((key0 === "method") || (key0 === "endpoint")) || (key0 === "headers")) || (key0 === "query")) || (key0 === "body")) || (key0 === "output")) || (key0 === "redirect"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/httpCall/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.method !== undefined){
if(typeof data.method !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/method",schemaPath:"#/$defs/httpCall/properties/method/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.endpoint !== undefined){
if(!(validate4(data.endpoint, {instancePath:instancePath+"/endpoint",parentData:data,parentDataProperty:"endpoint",rootData}))){
vErrors = vErrors === null ? validate4.errors : vErrors.concat(validate4.errors);
errors = vErrors.length;
}
}
if(data.headers !== undefined){
let data2 = data.headers;
if((!(data2 && typeof data2 == "object" && !Array.isArray(data2))) && (typeof data2 !== "string")){
vErrors = add(vErrors, {instancePath:instancePath+"/headers",schemaPath:"#/$defs/httpCall/properties/headers/type",keyword:"type",params:{}});
errors++;
}
const _errs7 = errors;
let valid1 = true;
const _errs8 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs8 === errors;
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs10 = errors;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key1 in data2){
let data3 = data2[key1];
if(((typeof data3 !== "string") && (!((typeof data3 == "number") && (isFinite(data3))))) && (typeof data3 !== "boolean")){
vErrors = add(vErrors, {instancePath:instancePath+"/headers/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/httpCall/properties/headers/then/additionalProperties/type",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/headers",schemaPath:"#/$defs/httpCall/properties/headers/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs10 === errors;
valid1 = _valid0;
ifClause0 = "then";
}
else {
const _errs15 = errors;
if(typeof data2 === "string"){
if(!pattern16.test(data2)){
vErrors = add(vErrors, {instancePath:instancePath+"/headers",schemaPath:"#/$defs/httpCall/properties/headers/else/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/headers",schemaPath:"#/$defs/httpCall/properties/headers/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid0 = _errs15 === errors;
valid1 = _valid0;
ifClause0 = "else";
}
if(!valid1){
vErrors = add(vErrors, {instancePath:instancePath+"/headers",schemaPath:"#/$defs/httpCall/properties/headers/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
}
if(data.query !== undefined){
let data4 = data.query;
if((!(data4 && typeof data4 == "object" && !Array.isArray(data4))) && (typeof data4 !== "string")){
vErrors = add(vErrors, {instancePath:instancePath+"/query",schemaPath:"#/$defs/httpCall/properties/query/type",keyword:"type",params:{}});
errors++;
}
const _errs19 = errors;
let valid3 = true;
const _errs20 = errors;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
vErrors = add(vErrors, {});
errors++;
}
var _valid1 = _errs20 === errors;
errors = _errs19;
if(vErrors !== null){
if(_errs19){
vErrors.length = _errs19;
}
else {
vErrors = null;
}
}
let ifClause1;
if(_valid1){
const _errs22 = errors;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key2 in data4){
let data5 = data4[key2];
if(((typeof data5 !== "string") && (!((typeof data5 == "number") && (isFinite(data5))))) && (typeof data5 !== "boolean")){
vErrors = add(vErrors, {instancePath:instancePath+"/query/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/httpCall/properties/query/then/additionalProperties/type",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/query",schemaPath:"#/$defs/httpCall/properties/query/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid1 = _errs22 === errors;
valid3 = _valid1;
ifClause1 = "then";
}
else {
const _errs27 = errors;
if(typeof data4 === "string"){
if(!pattern16.test(data4)){
vErrors = add(vErrors, {instancePath:instancePath+"/query",schemaPath:"#/$defs/httpCall/properties/query/else/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/query",schemaPath:"#/$defs/httpCall/properties/query/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid1 = _errs27 === errors;
valid3 = _valid1;
ifClause1 = "else";
}
if(!valid3){
vErrors = add(vErrors, {instancePath:instancePath+"/query",schemaPath:"#/$defs/httpCall/properties/query/if",keyword:"if",params:{failingKeyword: ifClause1}});
errors++;
}
}
if(data.output !== undefined){
let data6 = data.output;
if(typeof data6 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/output",schemaPath:"#/$defs/httpCall/properties/output/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((data6 === "raw") || (data6 === "content")) || (data6 === "response"))){
vErrors = add(vErrors, {instancePath:instancePath+"/output",schemaPath:"#/$defs/httpCall/properties/output/enum",keyword:"enum",params:{}});
errors++;
}
}
if(data.redirect !== undefined){
if(typeof data.redirect !== "boolean"){
vErrors = add(vErrors, {instancePath:instancePath+"/redirect",schemaPath:"#/$defs/httpCall/properties/redirect/type",keyword:"type",params:{type: "boolean"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/httpCall/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate41.errors = vErrors;
return errors === 0;
}


function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/openapiCall/required",keyword:"required",params:{missingProperty: "document"}});
errors++;
}
if(data.operationId === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/openapiCall/required",keyword:"required",params:{missingProperty: "operationId"}});
errors++;
}
for(const key0 in data){
if(!((((((key0 === "document") || (key0 === "operationId")) || (key0 === "parameters")) || (key0 === "authentication")) || (key0 === "output")) || (key0 === "redirect"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/openapiCall/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.document !== undefined){
if(!(validate3(data.document, {instancePath:instancePath+"/document",parentData:data,parentDataProperty:"document",rootData}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
}
if(data.operationId !== undefined){
if(typeof data.operationId !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/operationId",schemaPath:"#/$defs/openapiCall/properties/operationId/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.parameters !== undefined){
let data2 = data.parameters;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/openapiCall/properties/parameters/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.authentication !== undefined){
if(!(validate5(data.authentication, {instancePath:instancePath+"/authentication",parentData:data,parentDataProperty:"authentication",rootData}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
}
if(data.output !== undefined){
let data4 = data.output;
if(typeof data4 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/output",schemaPath:"#/$defs/openapiCall/properties/output/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((data4 === "raw") || (data4 === "content")) || (data4 === "response"))){
vErrors = add(vErrors, {instancePath:instancePath+"/output",schemaPath:"#/$defs/openapiCall/properties/output/enum",keyword:"enum",params:{}});
errors++;
}
}
if(data.redirect !== undefined){
if(typeof data.redirect !== "boolean"){
vErrors = add(vErrors, {instancePath:instancePath+"/redirect",schemaPath:"#/$defs/openapiCall/properties/redirect/type",keyword:"type",params:{type: "boolean"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/openapiCall/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate44.errors = vErrors;
return errors === 0;
}

const pattern18 = new RegExp("^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,61}[A-Za-z0-9])?$", "u");

function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.proto === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/grpcCall/required",keyword:"required",params:{missingProperty: "proto"}});
errors++;
}
if(data.service === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/grpcCall/required",keyword:"required",params:{missingProperty: "service"}});
errors++;
}
if(data.method === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/grpcCall/required",keyword:"required",params:{missingProperty: "method"}});
errors++;
}
for(const key0 in data){
if(!((((key0 === "proto") || (key0 === "service")) || (key0 === "method")) || (key0 === "arguments"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/grpcCall/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.proto !== undefined){
if(!(validate3(data.proto, {instancePath:instancePath+"/proto",parentData:data,parentDataProperty:"proto",rootData}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
}
if(data.service !== undefined){
let data1 = data.service;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.name === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/service",schemaPath:"#/$defs/grpcCall/properties/service/required",keyword:"required",params:{missingProperty: "name"}});
errors++;
}
if(data1.host === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/service",schemaPath:"#/$defs/grpcCall/properties/service/required",keyword:"required",params:{missingProperty: "host"}});
errors++;
}
for(const key1 in data1){
if(!((((key1 === "name") || (key1 === "host")) || (key1 === "port")) || (key1 === "authentication"))){
vErrors = add(vErrors, {instancePath:instancePath+"/service",schemaPath:"#/$defs/grpcCall/properties/service/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data1.name !== undefined){
if(typeof data1.name !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/service/name",schemaPath:"#/$defs/grpcCall/properties/service/properties/name/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data1.host !== undefined){
let data3 = data1.host;
if(typeof data3 === "string"){
if(!pattern18.test(data3)){
vErrors = add(vErrors, {instancePath:instancePath+"/service/host",schemaPath:"#/$defs/grpcCall/properties/service/properties/host/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,61}[A-Za-z0-9])?$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/service/host",schemaPath:"#/$defs/grpcCall/properties/service/properties/host/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data1.port !== undefined){
let data4 = data1.port;
if((!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))) && (typeof data4 !== "string")){
vErrors = add(vErrors, {instancePath:instancePath+"/service/port",schemaPath:"#/$defs/grpcCall/properties/service/properties/port/type",keyword:"type",params:{}});
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 65535 || isNaN(data4)){
vErrors = add(vErrors, {instancePath:instancePath+"/service/port",schemaPath:"#/$defs/grpcCall/properties/service/properties/port/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}});
errors++;
}
if(data4 < 0 || isNaN(data4)){
vErrors = add(vErrors, {instancePath:instancePath+"/service/port",schemaPath:"#/$defs/grpcCall/properties/service/properties/port/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}});
errors++;
}
}
if(typeof data4 === "string"){
if(!pattern16.test(data4)){
vErrors = add(vErrors, {instancePath:instancePath+"/service/port",schemaPath:"#/$defs/grpcCall/properties/service/properties/port/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$"}});
errors++;
}
}
}
if(data1.authentication !== undefined){
if(!(validate5(data1.authentication, {instancePath:instancePath+"/service/authentication",parentData:data1,parentDataProperty:"authentication",rootData}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/service",schemaPath:"#/$defs/grpcCall/properties/service/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.method !== undefined){
if(typeof data.method !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/method",schemaPath:"#/$defs/grpcCall/properties/method/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.arguments !== undefined){
let data7 = data.arguments;
if(!(data7 && typeof data7 == "object" && !Array.isArray(data7))){
vErrors = add(vErrors, {instancePath:instancePath+"/arguments",schemaPath:"#/$defs/grpcCall/properties/arguments/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/grpcCall/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate48.errors = vErrors;
return errors === 0;
}

const pattern22 = new RegExp("^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^P(?!$)(?:\\d+(?:\\.\\d+)?Y)?(?:\\d+(?:\\.\\d+)?M)?(?:\\d+(?:\\.\\d+)?W)?(?:\\d+(?:\\.\\d+)?D)?(?:T(?=\\d)(?:\\d+(?:\\.\\d+)?H)?(?:\\d+(?:\\.\\d+)?M)?(?:\\d+(?:\\.\\d+)?S)?)?$", "u");

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if((!(data && typeof data == "object" && !Array.isArray(data))) && (typeof data !== "string")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/duration/type",keyword:"type",params:{}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/duration/then/minProperties",keyword:"minProperties",params:{limit: 1}});
errors++;
}
for(const key0 in data){
if(!(((((key0 === "days") || (key0 === "hours")) || (key0 === "minutes")) || (key0 === "seconds")) || (key0 === "milliseconds"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/duration/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.days !== undefined){
let data0 = data.days;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = add(vErrors, {instancePath:instancePath+"/days",schemaPath:"#/$defs/duration/then/properties/days/type",keyword:"type",params:{type: "integer"}});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
vErrors = add(vErrors, {instancePath:instancePath+"/days",schemaPath:"#/$defs/duration/then/properties/days/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}});
errors++;
}
}
}
if(data.hours !== undefined){
let data1 = data.hours;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
vErrors = add(vErrors, {instancePath:instancePath+"/hours",schemaPath:"#/$defs/duration/then/properties/hours/type",keyword:"type",params:{type: "integer"}});
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
vErrors = add(vErrors, {instancePath:instancePath+"/hours",schemaPath:"#/$defs/duration/then/properties/hours/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}});
errors++;
}
}
}
if(data.minutes !== undefined){
let data2 = data.minutes;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
vErrors = add(vErrors, {instancePath:instancePath+"/minutes",schemaPath:"#/$defs/duration/then/properties/minutes/type",keyword:"type",params:{type: "integer"}});
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
vErrors = add(vErrors, {instancePath:instancePath+"/minutes",schemaPath:"#/$defs/duration/then/properties/minutes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}});
errors++;
}
}
}
if(data.seconds !== undefined){
let data3 = data.seconds;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
vErrors = add(vErrors, {instancePath:instancePath+"/seconds",schemaPath:"#/$defs/duration/then/properties/seconds/type",keyword:"type",params:{type: "integer"}});
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
vErrors = add(vErrors, {instancePath:instancePath+"/seconds",schemaPath:"#/$defs/duration/then/properties/seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}});
errors++;
}
}
}
if(data.milliseconds !== undefined){
let data4 = data.milliseconds;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
vErrors = add(vErrors, {instancePath:instancePath+"/milliseconds",schemaPath:"#/$defs/duration/then/properties/milliseconds/type",keyword:"type",params:{type: "integer"}});
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
vErrors = add(vErrors, {instancePath:instancePath+"/milliseconds",schemaPath:"#/$defs/duration/then/properties/milliseconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}});
errors++;
}
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/duration/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs17 = errors;
if(typeof data === "string"){
if(!pattern22.test(data)){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/duration/else/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^P(?!$)(?:\\d+(?:\\.\\d+)?Y)?(?:\\d+(?:\\.\\d+)?M)?(?:\\d+(?:\\.\\d+)?W)?(?:\\d+(?:\\.\\d+)?D)?(?:T(?=\\d)(?:\\d+(?:\\.\\d+)?H)?(?:\\d+(?:\\.\\d+)?M)?(?:\\d+(?:\\.\\d+)?S)?)?$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/duration/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid0 = _errs17 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/duration/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate54.errors = vErrors;
return errors === 0;
}

const wrapper0 = {validate: validate38};

function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "schema") || (key0 === "as"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/output/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.schema !== undefined){
if(!(validate2(data.schema, {instancePath:instancePath+"/schema",parentData:data,parentDataProperty:"schema",rootData}))){
vErrors = vErrors === null ? validate2.errors : vErrors.concat(validate2.errors);
errors = vErrors.length;
}
}
if(data.as !== undefined){
let data1 = data.as;
if((typeof data1 !== "string") && (!(data1 && typeof data1 == "object" && !Array.isArray(data1)))){
vErrors = add(vErrors, {instancePath:instancePath+"/as",schemaPath:"#/$defs/output/properties/as/type",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/output/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate57.errors = vErrors;
return errors === 0;
}


function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "schema") || (key0 === "as"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/export/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.schema !== undefined){
if(!(validate2(data.schema, {instancePath:instancePath+"/schema",parentData:data,parentDataProperty:"schema",rootData}))){
vErrors = vErrors === null ? validate2.errors : vErrors.concat(validate2.errors);
errors = vErrors.length;
}
}
if(data.as !== undefined){
let data1 = data.as;
if((typeof data1 !== "string") && (!(data1 && typeof data1 == "object" && !Array.isArray(data1)))){
vErrors = add(vErrors, {instancePath:instancePath+"/as",schemaPath:"#/$defs/export/properties/as/type",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/export/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate60.errors = vErrors;
return errors === 0;
}


function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((((key0 === "item") || (key0 === "at")) || (key0 === "do")) || (key0 === "output")) || (key0 === "export"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/foreach/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.item !== undefined){
if(typeof data.item !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/item",schemaPath:"#/$defs/foreach/properties/item/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.at !== undefined){
if(typeof data.at !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/at",schemaPath:"#/$defs/foreach/properties/at/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.do !== undefined){
if(!(wrapper0.validate(data.do, {instancePath:instancePath+"/do",parentData:data,parentDataProperty:"do",rootData}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.output !== undefined){
if(!(validate57(data.output, {instancePath:instancePath+"/output",parentData:data,parentDataProperty:"output",rootData}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
}
if(data.export !== undefined){
if(!(validate60(data.export, {instancePath:instancePath+"/export",parentData:data,parentDataProperty:"export",rootData}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/foreach/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate56.errors = vErrors;
return errors === 0;
}


function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs2 = errors;
let valid1 = false;
let passing0 = null;
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.channel === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/asyncapiCall/allOf/0/oneOf/0/required",keyword:"required",params:{missingProperty: "channel"}});
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0){
valid1 = true;
passing0 = 0;
}
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.operation === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/asyncapiCall/allOf/0/oneOf/1/required",keyword:"required",params:{missingProperty: "operation"}});
errors++;
}
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid1){
valid1 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid1 = true;
passing0 = 1;
}
}
if(!valid1){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/asyncapiCall/allOf/0/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs2;
if(vErrors !== null){
if(_errs2){
vErrors.length = _errs2;
}
else {
vErrors = null;
}
}
}
const _errs6 = errors;
let valid2 = false;
let passing1 = null;
const _errs7 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.message === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/asyncapiCall/allOf/1/oneOf/0/required",keyword:"required",params:{missingProperty: "message"}});
errors++;
}
}
var _valid1 = _errs7 === errors;
if(_valid1){
valid2 = true;
passing1 = 0;
}
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.subscription === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/asyncapiCall/allOf/1/oneOf/1/required",keyword:"required",params:{missingProperty: "subscription"}});
errors++;
}
}
var _valid1 = _errs8 === errors;
if(_valid1 && valid2){
valid2 = false;
passing1 = [passing1, 1];
}
else {
if(_valid1){
valid2 = true;
passing1 = 1;
}
}
if(!valid2){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/asyncapiCall/allOf/1/oneOf",keyword:"oneOf",params:{passingSchemas: passing1}});
errors++;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/asyncapiCall/required",keyword:"required",params:{missingProperty: "document"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "document") || (key0 === "channel")) || (key0 === "operation")) || (key0 === "server")) || (key0 === "protocol")) || (key0 === "message")) || (key0 === "subscription")) || (key0 === "authentication"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/asyncapiCall/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.document !== undefined){
if(!(validate3(data.document, {instancePath:instancePath+"/document",parentData:data,parentDataProperty:"document",rootData}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
}
if(data.channel !== undefined){
if(typeof data.channel !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/channel",schemaPath:"#/$defs/asyncapiCall/properties/channel/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.operation !== undefined){
if(typeof data.operation !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/operation",schemaPath:"#/$defs/asyncapiCall/properties/operation/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.server !== undefined){
let data3 = data.server;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.name === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/server",schemaPath:"#/$defs/asyncapiCall/properties/server/required",keyword:"required",params:{missingProperty: "name"}});
errors++;
}
for(const key1 in data3){
if(!((key1 === "name") || (key1 === "variables"))){
vErrors = add(vErrors, {instancePath:instancePath+"/server",schemaPath:"#/$defs/asyncapiCall/properties/server/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data3.name !== undefined){
if(typeof data3.name !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/server/name",schemaPath:"#/$defs/asyncapiCall/properties/server/properties/name/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data3.variables !== undefined){
let data5 = data3.variables;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
vErrors = add(vErrors, {instancePath:instancePath+"/server/variables",schemaPath:"#/$defs/asyncapiCall/properties/server/properties/variables/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/server",schemaPath:"#/$defs/asyncapiCall/properties/server/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.protocol !== undefined){
let data6 = data.protocol;
if(typeof data6 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/protocol",schemaPath:"#/$defs/asyncapiCall/properties/protocol/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((((((((((((((((((data6 === "amqp") || (data6 === "amqp1")) || (data6 === "anypointmq")) || (data6 === "googlepubsub")) || (data6 === "http")) || (data6 === "ibmmq")) || (data6 === "jms")) || (data6 === "kafka")) || (data6 === "mercure")) || (data6 === "mqtt")) || (data6 === "mqtt5")) || (data6 === "nats")) || (data6 === "pulsar")) || (data6 === "redis")) || (data6 === "sns")) || (data6 === "solace")) || (data6 === "sqs")) || (data6 === "stomp")) || (data6 === "ws"))){
vErrors = add(vErrors, {instancePath:instancePath+"/protocol",schemaPath:"#/$defs/asyncapiCall/properties/protocol/enum",keyword:"enum",params:{}});
errors++;
}
}
if(data.message !== undefined){
let data7 = data.message;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key2 in data7){
if(!((key2 === "payload") || (key2 === "headers"))){
vErrors = add(vErrors, {instancePath:instancePath+"/message",schemaPath:"#/$defs/asyncapiCall/properties/message/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data7.payload !== undefined){
let data8 = data7.payload;
if((!(data8 && typeof data8 == "object" && !Array.isArray(data8))) && (typeof data8 !== "string")){
vErrors = add(vErrors, {instancePath:instancePath+"/message/payload",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/payload/type",keyword:"type",params:{}});
errors++;
}
const _errs30 = errors;
let valid6 = true;
const _errs31 = errors;
if(!(data8 && typeof data8 == "object" && !Array.isArray(data8))){
vErrors = add(vErrors, {});
errors++;
}
var _valid2 = _errs31 === errors;
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid2){
const _errs33 = errors;
if(!(data8 && typeof data8 == "object" && !Array.isArray(data8))){
vErrors = add(vErrors, {instancePath:instancePath+"/message/payload",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/payload/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid2 = _errs33 === errors;
valid6 = _valid2;
ifClause0 = "then";
}
else {
const _errs36 = errors;
if(typeof data8 === "string"){
if(!pattern16.test(data8)){
vErrors = add(vErrors, {instancePath:instancePath+"/message/payload",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/payload/else/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/message/payload",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/payload/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid2 = _errs36 === errors;
valid6 = _valid2;
ifClause0 = "else";
}
if(!valid6){
vErrors = add(vErrors, {instancePath:instancePath+"/message/payload",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/payload/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
}
if(data7.headers !== undefined){
let data9 = data7.headers;
if((!(data9 && typeof data9 == "object" && !Array.isArray(data9))) && (typeof data9 !== "string")){
vErrors = add(vErrors, {instancePath:instancePath+"/message/headers",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/headers/type",keyword:"type",params:{}});
errors++;
}
const _errs40 = errors;
let valid7 = true;
const _errs41 = errors;
if(!(data9 && typeof data9 == "object" && !Array.isArray(data9))){
vErrors = add(vErrors, {});
errors++;
}
var _valid3 = _errs41 === errors;
errors = _errs40;
if(vErrors !== null){
if(_errs40){
vErrors.length = _errs40;
}
else {
vErrors = null;
}
}
let ifClause1;
if(_valid3){
const _errs43 = errors;
if(!(data9 && typeof data9 == "object" && !Array.isArray(data9))){
vErrors = add(vErrors, {instancePath:instancePath+"/message/headers",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/headers/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid3 = _errs43 === errors;
valid7 = _valid3;
ifClause1 = "then";
}
else {
const _errs46 = errors;
if(typeof data9 === "string"){
if(!pattern16.test(data9)){
vErrors = add(vErrors, {instancePath:instancePath+"/message/headers",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/headers/else/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/message/headers",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/headers/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid3 = _errs46 === errors;
valid7 = _valid3;
ifClause1 = "else";
}
if(!valid7){
vErrors = add(vErrors, {instancePath:instancePath+"/message/headers",schemaPath:"#/$defs/asyncapiCall/properties/message/properties/headers/if",keyword:"if",params:{failingKeyword: ifClause1}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/message",schemaPath:"#/$defs/asyncapiCall/properties/message/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.subscription !== undefined){
let data10 = data.subscription;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.consume === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription",schemaPath:"#/$defs/asyncapiCall/properties/subscription/required",keyword:"required",params:{missingProperty: "consume"}});
errors++;
}
for(const key3 in data10){
if(!(((key3 === "filter") || (key3 === "consume")) || (key3 === "foreach"))){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription",schemaPath:"#/$defs/asyncapiCall/properties/subscription/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}});
errors++;
}
}
if(data10.filter !== undefined){
if(typeof data10.filter !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/filter",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/filter/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data10.consume !== undefined){
let data12 = data10.consume;
const _errs55 = errors;
let valid9 = false;
let passing2 = null;
const _errs56 = errors;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.amount === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/oneOf/0/required",keyword:"required",params:{missingProperty: "amount"}});
errors++;
}
}
var _valid4 = _errs56 === errors;
if(_valid4){
valid9 = true;
passing2 = 0;
}
const _errs57 = errors;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.while === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/oneOf/1/required",keyword:"required",params:{missingProperty: "while"}});
errors++;
}
}
var _valid4 = _errs57 === errors;
if(_valid4 && valid9){
valid9 = false;
passing2 = [passing2, 1];
}
else {
if(_valid4){
valid9 = true;
passing2 = 1;
}
const _errs58 = errors;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.until === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/oneOf/2/required",keyword:"required",params:{missingProperty: "until"}});
errors++;
}
}
var _valid4 = _errs58 === errors;
if(_valid4 && valid9){
valid9 = false;
passing2 = [passing2, 2];
}
else {
if(_valid4){
valid9 = true;
passing2 = 2;
}
}
}
if(!valid9){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/oneOf",keyword:"oneOf",params:{passingSchemas: passing2}});
errors++;
}
else {
errors = _errs55;
if(vErrors !== null){
if(_errs55){
vErrors.length = _errs55;
}
else {
vErrors = null;
}
}
}
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
for(const key4 in data12){
if(!((((key4 === "amount") || (key4 === "while")) || (key4 === "until")) || (key4 === "for"))){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}});
errors++;
}
}
if(data12.amount !== undefined){
let data13 = data12.amount;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume/amount",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/properties/amount/type",keyword:"type",params:{type: "integer"}});
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume/amount",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/properties/amount/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}});
errors++;
}
}
}
if(data12.while !== undefined){
if(typeof data12.while !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume/while",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/properties/while/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data12.until !== undefined){
if(typeof data12.until !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume/until",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/properties/until/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data12.for !== undefined){
if(!(validate54(data12.for, {instancePath:instancePath+"/subscription/consume/for",parentData:data12,parentDataProperty:"for",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/subscription/consume",schemaPath:"#/$defs/asyncapiCall/properties/subscription/properties/consume/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data10.foreach !== undefined){
if(!(validate56(data10.foreach, {instancePath:instancePath+"/subscription/foreach",parentData:data10,parentDataProperty:"foreach",rootData}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/subscription",schemaPath:"#/$defs/asyncapiCall/properties/subscription/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.authentication !== undefined){
if(!(validate5(data.authentication, {instancePath:instancePath+"/authentication",parentData:data,parentDataProperty:"authentication",rootData}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/asyncapiCall/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate52.errors = vErrors;
return errors === 0;
}


function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.method === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/a2aCall/required",keyword:"required",params:{missingProperty: "method"}});
errors++;
}
for(const key0 in data){
if(!((((key0 === "method") || (key0 === "agentCard")) || (key0 === "server")) || (key0 === "parameters"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/a2aCall/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.method !== undefined){
let data0 = data.method;
if(typeof data0 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/method",schemaPath:"#/$defs/a2aCall/properties/method/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((((((((((data0 === "message/send") || (data0 === "message/stream")) || (data0 === "tasks/get")) || (data0 === "tasks/list")) || (data0 === "tasks/cancel")) || (data0 === "tasks/resubscribe")) || (data0 === "tasks/pushNotificationConfig/set")) || (data0 === "tasks/pushNotificationConfig/get")) || (data0 === "tasks/pushNotificationConfig/list")) || (data0 === "tasks/pushNotificationConfig/delete")) || (data0 === "agent/getAuthenticatedExtendedCard"))){
vErrors = add(vErrors, {instancePath:instancePath+"/method",schemaPath:"#/$defs/a2aCall/properties/method/enum",keyword:"enum",params:{}});
errors++;
}
}
if(data.agentCard !== undefined){
if(!(validate3(data.agentCard, {instancePath:instancePath+"/agentCard",parentData:data,parentDataProperty:"agentCard",rootData}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
}
if(data.server !== undefined){
if(!(validate4(data.server, {instancePath:instancePath+"/server",parentData:data,parentDataProperty:"server",rootData}))){
vErrors = vErrors === null ? validate4.errors : vErrors.concat(validate4.errors);
errors = vErrors.length;
}
}
if(data.parameters !== undefined){
let data3 = data.parameters;
if((!(data3 && typeof data3 == "object" && !Array.isArray(data3))) && (typeof data3 !== "string")){
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/a2aCall/properties/parameters/type",keyword:"type",params:{}});
errors++;
}
const _errs8 = errors;
let valid1 = true;
const _errs9 = errors;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs9 === errors;
errors = _errs8;
if(vErrors !== null){
if(_errs8){
vErrors.length = _errs8;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs11 = errors;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(Object.keys(data3).length < 1){
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/a2aCall/properties/parameters/then/minProperties",keyword:"minProperties",params:{limit: 1}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/a2aCall/properties/parameters/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs11 === errors;
valid1 = _valid0;
ifClause0 = "then";
}
else {
const _errs14 = errors;
if(typeof data3 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/a2aCall/properties/parameters/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid0 = _errs14 === errors;
valid1 = _valid0;
ifClause0 = "else";
}
if(!valid1){
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/a2aCall/properties/parameters/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/a2aCall/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate66.errors = vErrors;
return errors === 0;
}


function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.method === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/mcpCall/required",keyword:"required",params:{missingProperty: "method"}});
errors++;
}
if(data.transport === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/mcpCall/required",keyword:"required",params:{missingProperty: "transport"}});
errors++;
}
for(const key0 in data){
if(!((((((key0 === "protocolVersion") || (key0 === "method")) || (key0 === "parameters")) || (key0 === "timeout")) || (key0 === "transport")) || (key0 === "client"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/mcpCall/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.protocolVersion !== undefined){
if(typeof data.protocolVersion !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/protocolVersion",schemaPath:"#/$defs/mcpCall/properties/protocolVersion/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.method !== undefined){
let data1 = data.method;
if(typeof data1 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/method",schemaPath:"#/$defs/mcpCall/properties/method/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((((((data1 === "tools/list") || (data1 === "tools/call")) || (data1 === "prompts/list")) || (data1 === "prompts/get")) || (data1 === "resources/list")) || (data1 === "resources/read")) || (data1 === "resources/templates/list"))){
vErrors = add(vErrors, {instancePath:instancePath+"/method",schemaPath:"#/$defs/mcpCall/properties/method/enum",keyword:"enum",params:{}});
errors++;
}
}
if(data.parameters !== undefined){
let data2 = data.parameters;
if((!(data2 && typeof data2 == "object" && !Array.isArray(data2))) && (typeof data2 !== "string")){
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/mcpCall/properties/parameters/type",keyword:"type",params:{}});
errors++;
}
const _errs8 = errors;
let valid1 = true;
const _errs9 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs9 === errors;
errors = _errs8;
if(vErrors !== null){
if(_errs8){
vErrors.length = _errs8;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs11 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/mcpCall/properties/parameters/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs11 === errors;
valid1 = _valid0;
ifClause0 = "then";
}
else {
const _errs14 = errors;
if(typeof data2 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/mcpCall/properties/parameters/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid0 = _errs14 === errors;
valid1 = _valid0;
ifClause0 = "else";
}
if(!valid1){
vErrors = add(vErrors, {instancePath:instancePath+"/parameters",schemaPath:"#/$defs/mcpCall/properties/parameters/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
}
if(data.timeout !== undefined){
if(!(validate54(data.timeout, {instancePath:instancePath+"/timeout",parentData:data,parentDataProperty:"timeout",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.transport !== undefined){
let data4 = data.transport;
const _errs19 = errors;
let valid2 = false;
let passing0 = null;
const _errs20 = errors;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.http === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/transport",schemaPath:"#/$defs/mcpCall/properties/transport/oneOf/0/required",keyword:"required",params:{missingProperty: "http"}});
errors++;
}
}
var _valid1 = _errs20 === errors;
if(_valid1){
valid2 = true;
passing0 = 0;
}
const _errs21 = errors;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.stdio === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/transport",schemaPath:"#/$defs/mcpCall/properties/transport/oneOf/1/required",keyword:"required",params:{missingProperty: "stdio"}});
errors++;
}
}
var _valid1 = _errs21 === errors;
if(_valid1 && valid2){
valid2 = false;
passing0 = [passing0, 1];
}
else {
if(_valid1){
valid2 = true;
passing0 = 1;
}
}
if(!valid2){
vErrors = add(vErrors, {instancePath:instancePath+"/transport",schemaPath:"#/$defs/mcpCall/properties/transport/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs19;
if(vErrors !== null){
if(_errs19){
vErrors.length = _errs19;
}
else {
vErrors = null;
}
}
}
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key1 in data4){
if(!(((key1 === "http") || (key1 === "stdio")) || (key1 === "options"))){
vErrors = add(vErrors, {instancePath:instancePath+"/transport",schemaPath:"#/$defs/mcpCall/properties/transport/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data4.http !== undefined){
let data5 = data4.http;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.endpoint === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/transport/http",schemaPath:"#/$defs/mcpCall/properties/transport/properties/http/required",keyword:"required",params:{missingProperty: "endpoint"}});
errors++;
}
for(const key2 in data5){
if(!((key2 === "endpoint") || (key2 === "headers"))){
vErrors = add(vErrors, {instancePath:instancePath+"/transport/http",schemaPath:"#/$defs/mcpCall/properties/transport/properties/http/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data5.endpoint !== undefined){
if(!(validate4(data5.endpoint, {instancePath:instancePath+"/transport/http/endpoint",parentData:data5,parentDataProperty:"endpoint",rootData}))){
vErrors = vErrors === null ? validate4.errors : vErrors.concat(validate4.errors);
errors = vErrors.length;
}
}
if(data5.headers !== undefined){
let data7 = data5.headers;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key3 in data7){
if(typeof data7[key3] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/transport/http/headers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/mcpCall/properties/transport/properties/http/properties/headers/additionalProperties/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/transport/http/headers",schemaPath:"#/$defs/mcpCall/properties/transport/properties/http/properties/headers/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/transport/http",schemaPath:"#/$defs/mcpCall/properties/transport/properties/http/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data4.stdio !== undefined){
let data9 = data4.stdio;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.command === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/transport/stdio",schemaPath:"#/$defs/mcpCall/properties/transport/properties/stdio/required",keyword:"required",params:{missingProperty: "command"}});
errors++;
}
for(const key4 in data9){
if(!(((key4 === "command") || (key4 === "arguments")) || (key4 === "environment"))){
vErrors = add(vErrors, {instancePath:instancePath+"/transport/stdio",schemaPath:"#/$defs/mcpCall/properties/transport/properties/stdio/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}});
errors++;
}
}
if(data9.command !== undefined){
if(typeof data9.command !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/transport/stdio/command",schemaPath:"#/$defs/mcpCall/properties/transport/properties/stdio/properties/command/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data9.arguments !== undefined){
let data11 = data9.arguments;
if(Array.isArray(data11)){
const len0 = data11.length;
for(let i0=0; i0<len0; i0++){
if(typeof data11[i0] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/transport/stdio/arguments/" + i0,schemaPath:"#/$defs/mcpCall/properties/transport/properties/stdio/properties/arguments/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/transport/stdio/arguments",schemaPath:"#/$defs/mcpCall/properties/transport/properties/stdio/properties/arguments/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data9.environment !== undefined){
let data13 = data9.environment;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
for(const key5 in data13){
if(typeof data13[key5] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/transport/stdio/environment/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/mcpCall/properties/transport/properties/stdio/properties/environment/additionalProperties/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/transport/stdio/environment",schemaPath:"#/$defs/mcpCall/properties/transport/properties/stdio/properties/environment/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/transport/stdio",schemaPath:"#/$defs/mcpCall/properties/transport/properties/stdio/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data4.options !== undefined){
let data15 = data4.options;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
for(const key6 in data15){
if(typeof data15[key6] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/transport/options/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/mcpCall/properties/transport/properties/options/additionalProperties/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/transport/options",schemaPath:"#/$defs/mcpCall/properties/transport/properties/options/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/transport",schemaPath:"#/$defs/mcpCall/properties/transport/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.client !== undefined){
let data17 = data.client;
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
if(data17.name === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/client",schemaPath:"#/$defs/mcpCall/properties/client/required",keyword:"required",params:{missingProperty: "name"}});
errors++;
}
if(data17.version === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/client",schemaPath:"#/$defs/mcpCall/properties/client/required",keyword:"required",params:{missingProperty: "version"}});
errors++;
}
for(const key7 in data17){
if(!((key7 === "name") || (key7 === "version"))){
vErrors = add(vErrors, {instancePath:instancePath+"/client",schemaPath:"#/$defs/mcpCall/properties/client/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}});
errors++;
}
}
if(data17.name !== undefined){
if(typeof data17.name !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/name",schemaPath:"#/$defs/mcpCall/properties/client/properties/name/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data17.version !== undefined){
if(typeof data17.version !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/client/version",schemaPath:"#/$defs/mcpCall/properties/client/properties/version/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/client",schemaPath:"#/$defs/mcpCall/properties/client/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/mcpCall/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate70.errors = vErrors;
return errors === 0;
}


function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call !== undefined){
if("http" !== data.call){
vErrors = add(vErrors, {});
errors++;
}
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/then/required",keyword:"required",params:{missingProperty: "call"}});
errors++;
}
if(data.with === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/then/required",keyword:"required",params:{missingProperty: "with"}});
errors++;
}
for(const key0 in data){
if(!(func0.call(schema17.then.properties, key0))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.call !== undefined){
if(typeof data.call !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/call",schemaPath:"#/$defs/callTask/then/properties/call/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.with !== undefined){
if(!(validate41(data.with, {instancePath:instancePath+"/with",parentData:data,parentDataProperty:"with",rootData}))){
vErrors = vErrors === null ? validate41.errors : vErrors.concat(validate41.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs9 = errors;
const _errs10 = errors;
let valid3 = true;
const _errs11 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call !== undefined){
if("openapi" !== data.call){
vErrors = add(vErrors, {});
errors++;
}
}
}
var _valid1 = _errs11 === errors;
errors = _errs10;
if(vErrors !== null){
if(_errs10){
vErrors.length = _errs10;
}
else {
vErrors = null;
}
}
let ifClause1;
if(_valid1){
const _errs13 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/then/required",keyword:"required",params:{missingProperty: "call"}});
errors++;
}
if(data.with === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/then/required",keyword:"required",params:{missingProperty: "with"}});
errors++;
}
for(const key1 in data){
if(!(func0.call(schema17.else.then.properties, key1))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data.call !== undefined){
if(typeof data.call !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/call",schemaPath:"#/$defs/callTask/else/then/properties/call/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.with !== undefined){
if(!(validate44(data.with, {instancePath:instancePath+"/with",parentData:data,parentDataProperty:"with",rootData}))){
vErrors = vErrors === null ? validate44.errors : vErrors.concat(validate44.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid1 = _errs13 === errors;
valid3 = _valid1;
ifClause1 = "then";
}
else {
const _errs19 = errors;
const _errs20 = errors;
let valid6 = true;
const _errs21 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call !== undefined){
if("grpc" !== data.call){
vErrors = add(vErrors, {});
errors++;
}
}
}
var _valid2 = _errs21 === errors;
errors = _errs20;
if(vErrors !== null){
if(_errs20){
vErrors.length = _errs20;
}
else {
vErrors = null;
}
}
let ifClause2;
if(_valid2){
const _errs23 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/then/required",keyword:"required",params:{missingProperty: "call"}});
errors++;
}
if(data.with === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/then/required",keyword:"required",params:{missingProperty: "with"}});
errors++;
}
for(const key2 in data){
if(!(func0.call(schema17.else.else.then.properties, key2))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data.call !== undefined){
if(typeof data.call !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/call",schemaPath:"#/$defs/callTask/else/else/then/properties/call/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.with !== undefined){
if(!(validate48(data.with, {instancePath:instancePath+"/with",parentData:data,parentDataProperty:"with",rootData}))){
vErrors = vErrors === null ? validate48.errors : vErrors.concat(validate48.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid2 = _errs23 === errors;
valid6 = _valid2;
ifClause2 = "then";
}
else {
const _errs29 = errors;
const _errs30 = errors;
let valid9 = true;
const _errs31 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call !== undefined){
if("asyncapi" !== data.call){
vErrors = add(vErrors, {});
errors++;
}
}
}
var _valid3 = _errs31 === errors;
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
let ifClause3;
if(_valid3){
const _errs33 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/then/required",keyword:"required",params:{missingProperty: "call"}});
errors++;
}
if(data.with === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/then/required",keyword:"required",params:{missingProperty: "with"}});
errors++;
}
for(const key3 in data){
if(!(func0.call(schema17.else.else.else.then.properties, key3))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}});
errors++;
}
}
if(data.call !== undefined){
if(typeof data.call !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/call",schemaPath:"#/$defs/callTask/else/else/else/then/properties/call/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.with !== undefined){
if(!(validate52(data.with, {instancePath:instancePath+"/with",parentData:data,parentDataProperty:"with",rootData}))){
vErrors = vErrors === null ? validate52.errors : vErrors.concat(validate52.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid3 = _errs33 === errors;
valid9 = _valid3;
ifClause3 = "then";
}
else {
const _errs39 = errors;
const _errs40 = errors;
let valid12 = true;
const _errs41 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call !== undefined){
if("a2a" !== data.call){
vErrors = add(vErrors, {});
errors++;
}
}
}
var _valid4 = _errs41 === errors;
errors = _errs40;
if(vErrors !== null){
if(_errs40){
vErrors.length = _errs40;
}
else {
vErrors = null;
}
}
let ifClause4;
if(_valid4){
const _errs43 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/then/required",keyword:"required",params:{missingProperty: "call"}});
errors++;
}
if(data.with === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/then/required",keyword:"required",params:{missingProperty: "with"}});
errors++;
}
for(const key4 in data){
if(!(func0.call(schema17.else.else.else.else.then.properties, key4))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}});
errors++;
}
}
if(data.call !== undefined){
if(typeof data.call !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/call",schemaPath:"#/$defs/callTask/else/else/else/else/then/properties/call/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.with !== undefined){
if(!(validate66(data.with, {instancePath:instancePath+"/with",parentData:data,parentDataProperty:"with",rootData}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid4 = _errs43 === errors;
valid12 = _valid4;
ifClause4 = "then";
}
else {
const _errs49 = errors;
const _errs50 = errors;
let valid15 = true;
const _errs51 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call !== undefined){
if("mcp" !== data.call){
vErrors = add(vErrors, {});
errors++;
}
}
}
var _valid5 = _errs51 === errors;
errors = _errs50;
if(vErrors !== null){
if(_errs50){
vErrors.length = _errs50;
}
else {
vErrors = null;
}
}
let ifClause5;
if(_valid5){
const _errs53 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/else/then/required",keyword:"required",params:{missingProperty: "call"}});
errors++;
}
if(data.with === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/else/then/required",keyword:"required",params:{missingProperty: "with"}});
errors++;
}
for(const key5 in data){
if(!(func0.call(schema17.else.else.else.else.else.then.properties, key5))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/else/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}});
errors++;
}
}
if(data.call !== undefined){
if(typeof data.call !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/call",schemaPath:"#/$defs/callTask/else/else/else/else/else/then/properties/call/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.with !== undefined){
if(!(validate70(data.with, {instancePath:instancePath+"/with",parentData:data,parentDataProperty:"with",rootData}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/else/then/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid5 = _errs53 === errors;
valid15 = _valid5;
ifClause5 = "then";
}
else {
const _errs59 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/else/else/required",keyword:"required",params:{missingProperty: "call"}});
errors++;
}
for(const key6 in data){
if(!(func0.call(schema17.else.else.else.else.else.else.properties, key6))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/else/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}});
errors++;
}
}
if(data.call !== undefined){
if(typeof data.call !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/call",schemaPath:"#/$defs/callTask/else/else/else/else/else/else/properties/call/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.with !== undefined){
let data19 = data.with;
if(!(data19 && typeof data19 == "object" && !Array.isArray(data19))){
vErrors = add(vErrors, {instancePath:instancePath+"/with",schemaPath:"#/$defs/callTask/else/else/else/else/else/else/properties/with/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/else/else/type",keyword:"type",params:{type: "object"}});
errors++;
}
var _valid5 = _errs59 === errors;
valid15 = _valid5;
ifClause5 = "else";
}
if(!valid15){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause5}});
errors++;
}
var _valid4 = _errs49 === errors;
valid12 = _valid4;
ifClause4 = "else";
}
if(!valid12){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause4}});
errors++;
}
var _valid3 = _errs39 === errors;
valid9 = _valid3;
ifClause3 = "else";
}
if(!valid9){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause3}});
errors++;
}
var _valid2 = _errs29 === errors;
valid6 = _valid2;
ifClause2 = "else";
}
if(!valid6){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/else/if",keyword:"if",params:{failingKeyword: ifClause2}});
errors++;
}
var _valid1 = _errs19 === errors;
valid3 = _valid1;
ifClause1 = "else";
}
if(!valid3){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/else/if",keyword:"if",params:{failingKeyword: ifClause1}});
errors++;
}
var _valid0 = _errs9 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/callTask/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate40.errors = vErrors;
return errors === 0;
}

const pattern24 = new RegExp("^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:\\d\\d)$", "u");

function validate76(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/emittedEvent/required",keyword:"required",params:{missingProperty: "type"}});
errors++;
}
if(data.id !== undefined){
if(typeof data.id !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/id",schemaPath:"#/$defs/emittedEvent/properties/id/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.source !== undefined){
let data1 = data.source;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
vErrors = add(vErrors, {instancePath:instancePath+"/source",schemaPath:"#/$defs/emittedEvent/properties/source/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/source",schemaPath:"#/$defs/emittedEvent/properties/source/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.type !== undefined){
if(typeof data.type !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/type",schemaPath:"#/$defs/emittedEvent/properties/type/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.time !== undefined){
let data3 = data.time;
if(typeof data3 === "string"){
if(!pattern24.test(data3)){
vErrors = add(vErrors, {instancePath:instancePath+"/time",schemaPath:"#/$defs/emittedEvent/properties/time/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:\\d\\d)$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/time",schemaPath:"#/$defs/emittedEvent/properties/time/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.subject !== undefined){
if(typeof data.subject !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/subject",schemaPath:"#/$defs/emittedEvent/properties/subject/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.datacontenttype !== undefined){
if(typeof data.datacontenttype !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/datacontenttype",schemaPath:"#/$defs/emittedEvent/properties/datacontenttype/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.dataschema !== undefined){
let data6 = data.dataschema;
if(typeof data6 === "string"){
if(!pattern4.test(data6)){
vErrors = add(vErrors, {instancePath:instancePath+"/dataschema",schemaPath:"#/$defs/emittedEvent/properties/dataschema/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/dataschema",schemaPath:"#/$defs/emittedEvent/properties/dataschema/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/emittedEvent/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate76.errors = vErrors;
return errors === 0;
}


function validate75(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.emit === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/emitTask/required",keyword:"required",params:{missingProperty: "emit"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "emit") || (key0 === "if")) || (key0 === "input")) || (key0 === "output")) || (key0 === "export")) || (key0 === "timeout")) || (key0 === "then")) || (key0 === "metadata"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/emitTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.emit !== undefined){
let data0 = data.emit;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.event === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/emit",schemaPath:"#/$defs/emitTask/properties/emit/required",keyword:"required",params:{missingProperty: "event"}});
errors++;
}
for(const key1 in data0){
if(!(key1 === "event")){
vErrors = add(vErrors, {instancePath:instancePath+"/emit",schemaPath:"#/$defs/emitTask/properties/emit/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data0.event !== undefined){
let data1 = data0.event;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.with === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/emit/event",schemaPath:"#/$defs/emitTask/properties/emit/properties/event/required",keyword:"required",params:{missingProperty: "with"}});
errors++;
}
for(const key2 in data1){
if(!(key2 === "with")){
vErrors = add(vErrors, {instancePath:instancePath+"/emit/event",schemaPath:"#/$defs/emitTask/properties/emit/properties/event/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data1.with !== undefined){
if(!(validate76(data1.with, {instancePath:instancePath+"/emit/event/with",parentData:data1,parentDataProperty:"with",rootData}))){
vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/emit/event",schemaPath:"#/$defs/emitTask/properties/emit/properties/event/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/emit",schemaPath:"#/$defs/emitTask/properties/emit/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/emitTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate75.errors = vErrors;
return errors === 0;
}

const schema30 = {"type":"object","title":"a for task","properties":{"for":{"type":"object","title":"\"for\"","properties":{"each":{"type":"string","description":"the name of a variable"},"at":{"type":"string","description":"the name of a variable"},"in":{"type":["string","array"],"description":"an expression, or a list of objects","if":{"type":"array"},"then":{"items":{"type":"object","description":"an object"}}}},"required":["in"],"additionalProperties":false},"while":{"type":"string","description":"an expression"},"do":{"$ref":"#/$defs/tasks"},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["for","do"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]};

function validate79(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.for === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/forTask/required",keyword:"required",params:{missingProperty: "for"}});
errors++;
}
if(data.do === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/forTask/required",keyword:"required",params:{missingProperty: "do"}});
errors++;
}
for(const key0 in data){
if(!(func0.call(schema30.properties, key0))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/forTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.for !== undefined){
let data0 = data.for;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.in === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/for",schemaPath:"#/$defs/forTask/properties/for/required",keyword:"required",params:{missingProperty: "in"}});
errors++;
}
for(const key1 in data0){
if(!(((key1 === "each") || (key1 === "at")) || (key1 === "in"))){
vErrors = add(vErrors, {instancePath:instancePath+"/for",schemaPath:"#/$defs/forTask/properties/for/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data0.each !== undefined){
if(typeof data0.each !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/for/each",schemaPath:"#/$defs/forTask/properties/for/properties/each/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.at !== undefined){
if(typeof data0.at !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/for/at",schemaPath:"#/$defs/forTask/properties/for/properties/at/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.in !== undefined){
let data3 = data0.in;
if((typeof data3 !== "string") && (!(Array.isArray(data3)))){
vErrors = add(vErrors, {instancePath:instancePath+"/for/in",schemaPath:"#/$defs/forTask/properties/for/properties/in/type",keyword:"type",params:{}});
errors++;
}
const _errs11 = errors;
let valid2 = true;
const _errs12 = errors;
if(!(Array.isArray(data3))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs12 === errors;
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs14 = errors;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
vErrors = add(vErrors, {instancePath:instancePath+"/for/in/" + i0,schemaPath:"#/$defs/forTask/properties/for/properties/in/then/items/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
var _valid0 = _errs14 === errors;
valid2 = _valid0;
}
if(!valid2){
vErrors = add(vErrors, {instancePath:instancePath+"/for/in",schemaPath:"#/$defs/forTask/properties/for/properties/in/if",keyword:"if",params:{failingKeyword: "then"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/for",schemaPath:"#/$defs/forTask/properties/for/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.while !== undefined){
if(typeof data.while !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/while",schemaPath:"#/$defs/forTask/properties/while/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.do !== undefined){
if(!(wrapper0.validate(data.do, {instancePath:instancePath+"/do",parentData:data,parentDataProperty:"do",rootData}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/forTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate79.errors = vErrors;
return errors === 0;
}


function validate81(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.fork === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/forkTask/required",keyword:"required",params:{missingProperty: "fork"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "fork") || (key0 === "if")) || (key0 === "input")) || (key0 === "output")) || (key0 === "export")) || (key0 === "timeout")) || (key0 === "then")) || (key0 === "metadata"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/forkTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.fork !== undefined){
let data0 = data.fork;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.branches === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/fork",schemaPath:"#/$defs/forkTask/properties/fork/required",keyword:"required",params:{missingProperty: "branches"}});
errors++;
}
for(const key1 in data0){
if(!((key1 === "branches") || (key1 === "compete"))){
vErrors = add(vErrors, {instancePath:instancePath+"/fork",schemaPath:"#/$defs/forkTask/properties/fork/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data0.branches !== undefined){
if(!(wrapper0.validate(data0.branches, {instancePath:instancePath+"/fork/branches",parentData:data0,parentDataProperty:"branches",rootData}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data0.compete !== undefined){
if(typeof data0.compete !== "boolean"){
vErrors = add(vErrors, {instancePath:instancePath+"/fork/compete",schemaPath:"#/$defs/forkTask/properties/fork/properties/compete/type",keyword:"type",params:{type: "boolean"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/fork",schemaPath:"#/$defs/forkTask/properties/fork/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/forkTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate81.errors = vErrors;
return errors === 0;
}

const schema32 = {"type":"object","title":"a listen task","properties":{"listen":{"type":"object","title":"\"listen\"","properties":{"to":{"$ref":"#/$defs/events"},"read":{"type":"string","description":"one of data, envelope, raw","enum":["data","envelope","raw"]}},"required":["to"],"additionalProperties":false},"foreach":{"$ref":"#/$defs/foreach"},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["listen"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]};

function validate85(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.with === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/eventFilter/required",keyword:"required",params:{missingProperty: "with"}});
errors++;
}
for(const key0 in data){
if(!((key0 === "with") || (key0 === "correlate"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/eventFilter/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.with !== undefined){
let data0 = data.with;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(Object.keys(data0).length < 1){
vErrors = add(vErrors, {instancePath:instancePath+"/with",schemaPath:"#/$defs/eventFilter/properties/with/minProperties",keyword:"minProperties",params:{limit: 1}});
errors++;
}
if(data0.id !== undefined){
if(typeof data0.id !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/with/id",schemaPath:"#/$defs/eventFilter/properties/with/properties/id/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.source !== undefined){
let data2 = data0.source;
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
vErrors = add(vErrors, {instancePath:instancePath+"/with/source",schemaPath:"#/$defs/eventFilter/properties/with/properties/source/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/with/source",schemaPath:"#/$defs/eventFilter/properties/with/properties/source/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.type !== undefined){
if(typeof data0.type !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/with/type",schemaPath:"#/$defs/eventFilter/properties/with/properties/type/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.time !== undefined){
let data4 = data0.time;
if(typeof data4 === "string"){
if(!pattern24.test(data4)){
vErrors = add(vErrors, {instancePath:instancePath+"/with/time",schemaPath:"#/$defs/eventFilter/properties/with/properties/time/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:\\d\\d)$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/with/time",schemaPath:"#/$defs/eventFilter/properties/with/properties/time/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.subject !== undefined){
if(typeof data0.subject !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/with/subject",schemaPath:"#/$defs/eventFilter/properties/with/properties/subject/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.datacontenttype !== undefined){
if(typeof data0.datacontenttype !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/with/datacontenttype",schemaPath:"#/$defs/eventFilter/properties/with/properties/datacontenttype/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.dataschema !== undefined){
let data7 = data0.dataschema;
if(typeof data7 === "string"){
if(!pattern4.test(data7)){
vErrors = add(vErrors, {instancePath:instancePath+"/with/dataschema",schemaPath:"#/$defs/eventFilter/properties/with/properties/dataschema/pattern",keyword:"pattern",params:{pattern: "^\\s*\\$\\{[\\s\\S]+\\}\\s*$|^(?!\\s*\\$\\{)\\S+$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/with/dataschema",schemaPath:"#/$defs/eventFilter/properties/with/properties/dataschema/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/with",schemaPath:"#/$defs/eventFilter/properties/with/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.correlate !== undefined){
let data8 = data.correlate;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key1 in data8){
let data9 = data8[key1];
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.from === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/correlate/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/eventFilter/properties/correlate/additionalProperties/required",keyword:"required",params:{missingProperty: "from"}});
errors++;
}
for(const key2 in data9){
if(!((key2 === "from") || (key2 === "expect"))){
vErrors = add(vErrors, {instancePath:instancePath+"/correlate/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/eventFilter/properties/correlate/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data9.from !== undefined){
if(typeof data9.from !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/correlate/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/from",schemaPath:"#/$defs/eventFilter/properties/correlate/additionalProperties/properties/from/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data9.expect !== undefined){
if(typeof data9.expect !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/correlate/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/expect",schemaPath:"#/$defs/eventFilter/properties/correlate/additionalProperties/properties/expect/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/correlate/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/eventFilter/properties/correlate/additionalProperties/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/correlate",schemaPath:"#/$defs/eventFilter/properties/correlate/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/eventFilter/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate85.errors = vErrors;
return errors === 0;
}


function validate89(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.all === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endingEvents/oneOf/0/required",keyword:"required",params:{missingProperty: "all"}});
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.any === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endingEvents/oneOf/1/required",keyword:"required",params:{missingProperty: "any"}});
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.one === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endingEvents/oneOf/2/required",keyword:"required",params:{missingProperty: "one"}});
errors++;
}
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
}
}
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endingEvents/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((key0 === "all") || (key0 === "any")) || (key0 === "one"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endingEvents/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.all !== undefined){
let data0 = data.all;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate85(data0[i0], {instancePath:instancePath+"/all/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/all",schemaPath:"#/$defs/endingEvents/properties/all/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.any !== undefined){
let data2 = data.any;
if(Array.isArray(data2)){
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
if(!(validate85(data2[i1], {instancePath:instancePath+"/any/" + i1,parentData:data2,parentDataProperty:i1,rootData}))){
vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/any",schemaPath:"#/$defs/endingEvents/properties/any/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.one !== undefined){
if(!(validate85(data.one, {instancePath:instancePath+"/one",parentData:data,parentDataProperty:"one",rootData}))){
vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/endingEvents/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate89.errors = vErrors;
return errors === 0;
}


function validate84(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.all === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/events/oneOf/0/required",keyword:"required",params:{missingProperty: "all"}});
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.any === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/events/oneOf/1/required",keyword:"required",params:{missingProperty: "any"}});
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.one === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/events/oneOf/2/required",keyword:"required",params:{missingProperty: "one"}});
errors++;
}
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
}
}
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/events/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
const _errs5 = errors;
let valid1 = true;
const _errs6 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.until === undefined) && (missing0 = "until")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid1 = _errs6 === errors;
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs7 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.any === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/events/then/required",keyword:"required",params:{missingProperty: "any"}});
errors++;
}
}
var _valid1 = _errs7 === errors;
valid1 = _valid1;
}
if(!valid1){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/events/if",keyword:"if",params:{failingKeyword: "then"}});
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((key0 === "all") || (key0 === "any")) || (key0 === "one")) || (key0 === "until"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/events/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.all !== undefined){
let data0 = data.all;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate85(data0[i0], {instancePath:instancePath+"/all/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/all",schemaPath:"#/$defs/events/properties/all/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.any !== undefined){
let data2 = data.any;
if(Array.isArray(data2)){
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
if(!(validate85(data2[i1], {instancePath:instancePath+"/any/" + i1,parentData:data2,parentDataProperty:i1,rootData}))){
vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/any",schemaPath:"#/$defs/events/properties/any/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.one !== undefined){
if(!(validate85(data.one, {instancePath:instancePath+"/one",parentData:data,parentDataProperty:"one",rootData}))){
vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
errors = vErrors.length;
}
}
if(data.until !== undefined){
let data5 = data.until;
if((!(data5 && typeof data5 == "object" && !Array.isArray(data5))) && (typeof data5 !== "string")){
vErrors = add(vErrors, {instancePath:instancePath+"/until",schemaPath:"#/$defs/events/properties/until/type",keyword:"type",params:{}});
errors++;
}
const _errs18 = errors;
let valid7 = true;
const _errs19 = errors;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
vErrors = add(vErrors, {});
errors++;
}
var _valid2 = _errs19 === errors;
errors = _errs18;
if(vErrors !== null){
if(_errs18){
vErrors.length = _errs18;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid2){
const _errs21 = errors;
if(!(validate89(data5, {instancePath:instancePath+"/until",parentData:data,parentDataProperty:"until",rootData}))){
vErrors = vErrors === null ? validate89.errors : vErrors.concat(validate89.errors);
errors = vErrors.length;
}
var _valid2 = _errs21 === errors;
valid7 = _valid2;
ifClause0 = "then";
}
else {
const _errs22 = errors;
if(typeof data5 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/until",schemaPath:"#/$defs/events/properties/until/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid2 = _errs22 === errors;
valid7 = _valid2;
ifClause0 = "else";
}
if(!valid7){
vErrors = add(vErrors, {instancePath:instancePath+"/until",schemaPath:"#/$defs/events/properties/until/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/events/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate84.errors = vErrors;
return errors === 0;
}


function validate83(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.listen === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/listenTask/required",keyword:"required",params:{missingProperty: "listen"}});
errors++;
}
for(const key0 in data){
if(!(func0.call(schema32.properties, key0))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/listenTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.listen !== undefined){
let data0 = data.listen;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.to === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/listen",schemaPath:"#/$defs/listenTask/properties/listen/required",keyword:"required",params:{missingProperty: "to"}});
errors++;
}
for(const key1 in data0){
if(!((key1 === "to") || (key1 === "read"))){
vErrors = add(vErrors, {instancePath:instancePath+"/listen",schemaPath:"#/$defs/listenTask/properties/listen/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data0.to !== undefined){
if(!(validate84(data0.to, {instancePath:instancePath+"/listen/to",parentData:data0,parentDataProperty:"to",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
if(data0.read !== undefined){
let data2 = data0.read;
if(typeof data2 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/listen/read",schemaPath:"#/$defs/listenTask/properties/listen/properties/read/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((data2 === "data") || (data2 === "envelope")) || (data2 === "raw"))){
vErrors = add(vErrors, {instancePath:instancePath+"/listen/read",schemaPath:"#/$defs/listenTask/properties/listen/properties/read/enum",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/listen",schemaPath:"#/$defs/listenTask/properties/listen/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.foreach !== undefined){
if(!(validate56(data.foreach, {instancePath:instancePath+"/foreach",parentData:data,parentDataProperty:"foreach",rootData}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/listenTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate83.errors = vErrors;
return errors === 0;
}


function validate98(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if((!(data && typeof data == "object" && !Array.isArray(data))) && (typeof data !== "string")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/errorOrName/type",keyword:"type",params:{}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs4 = errors;
if(!(validate36(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs5 = errors;
if(typeof data !== "string"){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/errorOrName/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid0 = _errs5 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/errorOrName/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate98.errors = vErrors;
return errors === 0;
}


function validate97(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.raise === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/raiseTask/required",keyword:"required",params:{missingProperty: "raise"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "raise") || (key0 === "if")) || (key0 === "input")) || (key0 === "output")) || (key0 === "export")) || (key0 === "timeout")) || (key0 === "then")) || (key0 === "metadata"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/raiseTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.raise !== undefined){
let data0 = data.raise;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.error === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/raise",schemaPath:"#/$defs/raiseTask/properties/raise/required",keyword:"required",params:{missingProperty: "error"}});
errors++;
}
for(const key1 in data0){
if(!(key1 === "error")){
vErrors = add(vErrors, {instancePath:instancePath+"/raise",schemaPath:"#/$defs/raiseTask/properties/raise/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data0.error !== undefined){
if(!(validate98(data0.error, {instancePath:instancePath+"/raise/error",parentData:data0,parentDataProperty:"error",rootData}))){
vErrors = vErrors === null ? validate98.errors : vErrors.concat(validate98.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/raise",schemaPath:"#/$defs/raiseTask/properties/raise/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/raiseTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate97.errors = vErrors;
return errors === 0;
}

const schema40 = {"type":"object","title":"a container","properties":{"image":{"type":"string","description":"text"},"name":{"type":"string","description":"text"},"command":{"type":"string","description":"text"},"ports":{"type":"object","description":"an object","additionalProperties":{}},"volumes":{"type":"object","description":"an object","additionalProperties":{}},"environment":{"type":"object","description":"an object","additionalProperties":{}},"stdin":{"type":"string","description":"text"},"arguments":{"type":"array","description":"a list of texts","items":{"type":"string","description":"text"}},"lifetime":{"type":"object","title":"the lifetime of a container","properties":{"cleanup":{"type":"string","description":"one of always, never, eventually","enum":["always","never","eventually"]},"after":{"$ref":"#/$defs/duration"}},"required":["cleanup"],"additionalProperties":false,"if":{"properties":{"cleanup":{"const":"eventually"}}},"then":{"required":["after"],"title":"a lifetime whose \"cleanup\" is \"eventually\""},"else":{"properties":{"after":{"not":{},"description":"only there when \"cleanup\" is \"eventually\"; remove it"}}}},"pullPolicy":{"type":"string","description":"one of ifNotPresent, always, never","enum":["ifNotPresent","always","never"]}},"required":["image"],"additionalProperties":false};

function validate104(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.image === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/container/required",keyword:"required",params:{missingProperty: "image"}});
errors++;
}
for(const key0 in data){
if(!(func0.call(schema40.properties, key0))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/container/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.image !== undefined){
if(typeof data.image !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/image",schemaPath:"#/$defs/container/properties/image/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/name",schemaPath:"#/$defs/container/properties/name/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.command !== undefined){
if(typeof data.command !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/command",schemaPath:"#/$defs/container/properties/command/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.ports !== undefined){
let data3 = data.ports;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
vErrors = add(vErrors, {instancePath:instancePath+"/ports",schemaPath:"#/$defs/container/properties/ports/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.volumes !== undefined){
let data4 = data.volumes;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
vErrors = add(vErrors, {instancePath:instancePath+"/volumes",schemaPath:"#/$defs/container/properties/volumes/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.environment !== undefined){
let data5 = data.environment;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
vErrors = add(vErrors, {instancePath:instancePath+"/environment",schemaPath:"#/$defs/container/properties/environment/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.stdin !== undefined){
if(typeof data.stdin !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/stdin",schemaPath:"#/$defs/container/properties/stdin/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.arguments !== undefined){
let data7 = data.arguments;
if(Array.isArray(data7)){
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
if(typeof data7[i0] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/arguments/" + i0,schemaPath:"#/$defs/container/properties/arguments/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/arguments",schemaPath:"#/$defs/container/properties/arguments/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data.lifetime !== undefined){
let data9 = data.lifetime;
const _errs25 = errors;
let valid3 = true;
const _errs26 = errors;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.cleanup !== undefined){
if("eventually" !== data9.cleanup){
vErrors = add(vErrors, {});
errors++;
}
}
}
var _valid0 = _errs26 === errors;
errors = _errs25;
if(vErrors !== null){
if(_errs25){
vErrors.length = _errs25;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs28 = errors;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.after === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/lifetime",schemaPath:"#/$defs/container/properties/lifetime/then/required",keyword:"required",params:{missingProperty: "after"}});
errors++;
}
}
var _valid0 = _errs28 === errors;
valid3 = _valid0;
ifClause0 = "then";
}
else {
const _errs29 = errors;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.after !== undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/lifetime/after",schemaPath:"#/$defs/container/properties/lifetime/else/properties/after/not",keyword:"not",params:{}});
errors++;
}
}
var _valid0 = _errs29 === errors;
valid3 = _valid0;
ifClause0 = "else";
}
if(!valid3){
vErrors = add(vErrors, {instancePath:instancePath+"/lifetime",schemaPath:"#/$defs/container/properties/lifetime/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.cleanup === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/lifetime",schemaPath:"#/$defs/container/properties/lifetime/required",keyword:"required",params:{missingProperty: "cleanup"}});
errors++;
}
for(const key1 in data9){
if(!((key1 === "cleanup") || (key1 === "after"))){
vErrors = add(vErrors, {instancePath:instancePath+"/lifetime",schemaPath:"#/$defs/container/properties/lifetime/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data9.cleanup !== undefined){
let data12 = data9.cleanup;
if(typeof data12 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/lifetime/cleanup",schemaPath:"#/$defs/container/properties/lifetime/properties/cleanup/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((data12 === "always") || (data12 === "never")) || (data12 === "eventually"))){
vErrors = add(vErrors, {instancePath:instancePath+"/lifetime/cleanup",schemaPath:"#/$defs/container/properties/lifetime/properties/cleanup/enum",keyword:"enum",params:{}});
errors++;
}
}
if(data9.after !== undefined){
if(!(validate54(data9.after, {instancePath:instancePath+"/lifetime/after",parentData:data9,parentDataProperty:"after",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/lifetime",schemaPath:"#/$defs/container/properties/lifetime/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.pullPolicy !== undefined){
let data14 = data.pullPolicy;
if(typeof data14 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/pullPolicy",schemaPath:"#/$defs/container/properties/pullPolicy/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((data14 === "ifNotPresent") || (data14 === "always")) || (data14 === "never"))){
vErrors = add(vErrors, {instancePath:instancePath+"/pullPolicy",schemaPath:"#/$defs/container/properties/pullPolicy/enum",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/container/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate104.errors = vErrors;
return errors === 0;
}


function validate107(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/script/oneOf/0/required",keyword:"required",params:{missingProperty: "code"}});
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.source === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/script/oneOf/1/required",keyword:"required",params:{missingProperty: "source"}});
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/script/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.language === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/script/required",keyword:"required",params:{missingProperty: "language"}});
errors++;
}
for(const key0 in data){
if(!((((((key0 === "language") || (key0 === "code")) || (key0 === "source")) || (key0 === "stdin")) || (key0 === "arguments")) || (key0 === "environment"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/script/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.language !== undefined){
if(typeof data.language !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/language",schemaPath:"#/$defs/script/properties/language/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.code !== undefined){
if(typeof data.code !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/code",schemaPath:"#/$defs/script/properties/code/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.source !== undefined){
if(!(validate3(data.source, {instancePath:instancePath+"/source",parentData:data,parentDataProperty:"source",rootData}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
}
if(data.stdin !== undefined){
if(typeof data.stdin !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/stdin",schemaPath:"#/$defs/script/properties/stdin/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.arguments !== undefined){
let data4 = data.arguments;
if(!data4 || typeof data4 != "object"){
vErrors = add(vErrors, {instancePath:instancePath+"/arguments",schemaPath:"#/$defs/script/properties/arguments/type",keyword:"type",params:{}});
errors++;
}
const _errs14 = errors;
let valid2 = true;
const _errs15 = errors;
if(!(Array.isArray(data4))){
vErrors = add(vErrors, {});
errors++;
}
var _valid1 = _errs15 === errors;
errors = _errs14;
if(vErrors !== null){
if(_errs14){
vErrors.length = _errs14;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs17 = errors;
if(Array.isArray(data4)){
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
if(typeof data4[i0] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/arguments/" + i0,schemaPath:"#/$defs/script/properties/arguments/then/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/arguments",schemaPath:"#/$defs/script/properties/arguments/then/type",keyword:"type",params:{type: "array"}});
errors++;
}
var _valid1 = _errs17 === errors;
valid2 = _valid1;
}
if(!valid2){
vErrors = add(vErrors, {instancePath:instancePath+"/arguments",schemaPath:"#/$defs/script/properties/arguments/if",keyword:"if",params:{failingKeyword: "then"}});
errors++;
}
}
if(data.environment !== undefined){
let data6 = data.environment;
if(!(data6 && typeof data6 == "object" && !Array.isArray(data6))){
vErrors = add(vErrors, {instancePath:instancePath+"/environment",schemaPath:"#/$defs/script/properties/environment/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/script/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate107.errors = vErrors;
return errors === 0;
}


function validate110(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.command === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/shell/required",keyword:"required",params:{missingProperty: "command"}});
errors++;
}
for(const key0 in data){
if(!((((key0 === "command") || (key0 === "stdin")) || (key0 === "arguments")) || (key0 === "environment"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/shell/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.command !== undefined){
if(typeof data.command !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/command",schemaPath:"#/$defs/shell/properties/command/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.stdin !== undefined){
if(typeof data.stdin !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/stdin",schemaPath:"#/$defs/shell/properties/stdin/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.arguments !== undefined){
let data2 = data.arguments;
if(!data2 || typeof data2 != "object"){
vErrors = add(vErrors, {instancePath:instancePath+"/arguments",schemaPath:"#/$defs/shell/properties/arguments/type",keyword:"type",params:{}});
errors++;
}
const _errs8 = errors;
let valid1 = true;
const _errs9 = errors;
if(!(Array.isArray(data2))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs9 === errors;
errors = _errs8;
if(vErrors !== null){
if(_errs8){
vErrors.length = _errs8;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs11 = errors;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(typeof data2[i0] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/arguments/" + i0,schemaPath:"#/$defs/shell/properties/arguments/then/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/arguments",schemaPath:"#/$defs/shell/properties/arguments/then/type",keyword:"type",params:{type: "array"}});
errors++;
}
var _valid0 = _errs11 === errors;
valid1 = _valid0;
}
if(!valid1){
vErrors = add(vErrors, {instancePath:instancePath+"/arguments",schemaPath:"#/$defs/shell/properties/arguments/if",keyword:"if",params:{failingKeyword: "then"}});
errors++;
}
}
if(data.environment !== undefined){
let data4 = data.environment;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
vErrors = add(vErrors, {instancePath:instancePath+"/environment",schemaPath:"#/$defs/shell/properties/environment/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/shell/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate110.errors = vErrors;
return errors === 0;
}


function validate112(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.namespace === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/workflow/required",keyword:"required",params:{missingProperty: "namespace"}});
errors++;
}
if(data.name === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/workflow/required",keyword:"required",params:{missingProperty: "name"}});
errors++;
}
if(data.version === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/workflow/required",keyword:"required",params:{missingProperty: "version"}});
errors++;
}
for(const key0 in data){
if(!((((key0 === "namespace") || (key0 === "name")) || (key0 === "version")) || (key0 === "input"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/workflow/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.namespace !== undefined){
if(typeof data.namespace !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/namespace",schemaPath:"#/$defs/workflow/properties/namespace/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/name",schemaPath:"#/$defs/workflow/properties/name/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.version !== undefined){
if(typeof data.version !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/version",schemaPath:"#/$defs/workflow/properties/version/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.input !== undefined){
let data3 = data.input;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
vErrors = add(vErrors, {instancePath:instancePath+"/input",schemaPath:"#/$defs/workflow/properties/input/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/workflow/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate112.errors = vErrors;
return errors === 0;
}


function validate103(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.container === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/run/oneOf/0/required",keyword:"required",params:{missingProperty: "container"}});
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.script === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/run/oneOf/1/required",keyword:"required",params:{missingProperty: "script"}});
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.shell === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/run/oneOf/2/required",keyword:"required",params:{missingProperty: "shell"}});
errors++;
}
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
}
const _errs5 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.workflow === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/run/oneOf/3/required",keyword:"required",params:{missingProperty: "workflow"}});
errors++;
}
}
var _valid0 = _errs5 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
}
}
}
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/run/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((((key0 === "container") || (key0 === "script")) || (key0 === "shell")) || (key0 === "workflow")) || (key0 === "await")) || (key0 === "return"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/run/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.container !== undefined){
if(!(validate104(data.container, {instancePath:instancePath+"/container",parentData:data,parentDataProperty:"container",rootData}))){
vErrors = vErrors === null ? validate104.errors : vErrors.concat(validate104.errors);
errors = vErrors.length;
}
}
if(data.script !== undefined){
if(!(validate107(data.script, {instancePath:instancePath+"/script",parentData:data,parentDataProperty:"script",rootData}))){
vErrors = vErrors === null ? validate107.errors : vErrors.concat(validate107.errors);
errors = vErrors.length;
}
}
if(data.shell !== undefined){
if(!(validate110(data.shell, {instancePath:instancePath+"/shell",parentData:data,parentDataProperty:"shell",rootData}))){
vErrors = vErrors === null ? validate110.errors : vErrors.concat(validate110.errors);
errors = vErrors.length;
}
}
if(data.workflow !== undefined){
if(!(validate112(data.workflow, {instancePath:instancePath+"/workflow",parentData:data,parentDataProperty:"workflow",rootData}))){
vErrors = vErrors === null ? validate112.errors : vErrors.concat(validate112.errors);
errors = vErrors.length;
}
}
if(data.await !== undefined){
if(typeof data.await !== "boolean"){
vErrors = add(vErrors, {instancePath:instancePath+"/await",schemaPath:"#/$defs/run/properties/await/type",keyword:"type",params:{type: "boolean"}});
errors++;
}
}
if(data.return !== undefined){
let data5 = data.return;
if(typeof data5 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/return",schemaPath:"#/$defs/run/properties/return/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((((data5 === "stdout") || (data5 === "stderr")) || (data5 === "code")) || (data5 === "all")) || (data5 === "none"))){
vErrors = add(vErrors, {instancePath:instancePath+"/return",schemaPath:"#/$defs/run/properties/return/enum",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/run/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate103.errors = vErrors;
return errors === 0;
}


function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.run === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/runTask/required",keyword:"required",params:{missingProperty: "run"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "run") || (key0 === "if")) || (key0 === "input")) || (key0 === "output")) || (key0 === "export")) || (key0 === "timeout")) || (key0 === "then")) || (key0 === "metadata"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/runTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.run !== undefined){
if(!(validate103(data.run, {instancePath:instancePath+"/run",parentData:data,parentDataProperty:"run",rootData}))){
vErrors = vErrors === null ? validate103.errors : vErrors.concat(validate103.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/runTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate102.errors = vErrors;
return errors === 0;
}


function validate116(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.set === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/setTask/required",keyword:"required",params:{missingProperty: "set"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "set") || (key0 === "if")) || (key0 === "input")) || (key0 === "output")) || (key0 === "export")) || (key0 === "timeout")) || (key0 === "then")) || (key0 === "metadata"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/setTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.set !== undefined){
let data0 = data.set;
if((!(data0 && typeof data0 == "object" && !Array.isArray(data0))) && (typeof data0 !== "string")){
vErrors = add(vErrors, {instancePath:instancePath+"/set",schemaPath:"#/$defs/setTask/properties/set/type",keyword:"type",params:{}});
errors++;
}
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(Object.keys(data0).length < 1){
vErrors = add(vErrors, {instancePath:instancePath+"/set",schemaPath:"#/$defs/setTask/properties/set/minProperties",keyword:"minProperties",params:{limit: 1}});
errors++;
}
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/setTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate116.errors = vErrors;
return errors === 0;
}


function validate118(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.switch === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/switchTask/required",keyword:"required",params:{missingProperty: "switch"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "switch") || (key0 === "if")) || (key0 === "input")) || (key0 === "output")) || (key0 === "export")) || (key0 === "timeout")) || (key0 === "then")) || (key0 === "metadata"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/switchTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.switch !== undefined){
let data0 = data.switch;
if(Array.isArray(data0)){
if(data0.length < 1){
vErrors = add(vErrors, {instancePath:instancePath+"/switch",schemaPath:"#/$defs/switchTask/properties/switch/minItems",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(Object.keys(data1).length > 1){
vErrors = add(vErrors, {instancePath:instancePath+"/switch/" + i0,schemaPath:"#/$defs/switchTask/properties/switch/items/maxProperties",keyword:"maxProperties",params:{limit: 1}});
errors++;
}
if(Object.keys(data1).length < 1){
vErrors = add(vErrors, {instancePath:instancePath+"/switch/" + i0,schemaPath:"#/$defs/switchTask/properties/switch/items/minProperties",keyword:"minProperties",params:{limit: 1}});
errors++;
}
for(const key1 in data1){
let data2 = data1[key1];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.then === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/switch/" + i0+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/switchTask/properties/switch/items/additionalProperties/required",keyword:"required",params:{missingProperty: "then"}});
errors++;
}
for(const key2 in data2){
if(!((key2 === "when") || (key2 === "then"))){
vErrors = add(vErrors, {instancePath:instancePath+"/switch/" + i0+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/switchTask/properties/switch/items/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data2.when !== undefined){
if(typeof data2.when !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/switch/" + i0+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/when",schemaPath:"#/$defs/switchTask/properties/switch/items/additionalProperties/properties/when/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data2.then !== undefined){
if(typeof data2.then !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/switch/" + i0+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/then",schemaPath:"#/$defs/switchTask/properties/switch/items/additionalProperties/properties/then/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/switch/" + i0+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/switchTask/properties/switch/items/additionalProperties/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/switch/" + i0,schemaPath:"#/$defs/switchTask/properties/switch/items/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/switch",schemaPath:"#/$defs/switchTask/properties/switch/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/switchTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate118.errors = vErrors;
return errors === 0;
}

const schema46 = {"type":"object","title":"a try task","properties":{"try":{"$ref":"#/$defs/tasks"},"catch":{"type":"object","title":"\"catch\"","properties":{"errors":{"type":"object","title":"the \"errors\" of a catch","properties":{"with":{"$ref":"#/$defs/errorFilter"}},"required":[],"additionalProperties":false,"x-open":true},"as":{"type":"string","description":"the name of a variable"},"when":{"type":"string","description":"an expression"},"exceptWhen":{"type":"string","description":"an expression"},"retry":{"$ref":"#/$defs/retryOrName"},"do":{"$ref":"#/$defs/tasks"},"then":{"type":"string","description":"continue, exit, end, or the name of a task in the same list"}},"required":[],"additionalProperties":false},"if":{},"input":{},"output":{},"export":{},"timeout":{},"then":{},"metadata":{}},"required":["try","catch"],"additionalProperties":false,"x-choice":["call","emit","for","fork","listen","raise","run","set","switch","try","wait","do"]};

function validate121(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/errorFilter/minProperties",keyword:"minProperties",params:{limit: 1}});
errors++;
}
for(const key0 in data){
if(!((((((key0 === "type") || (key0 === "status")) || (key0 === "instance")) || (key0 === "title")) || (key0 === "detail")) || (key0 === "details"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/errorFilter/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.type !== undefined){
if(typeof data.type !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/type",schemaPath:"#/$defs/errorFilter/properties/type/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.status !== undefined){
let data1 = data.status;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
vErrors = add(vErrors, {instancePath:instancePath+"/status",schemaPath:"#/$defs/errorFilter/properties/status/type",keyword:"type",params:{type: "integer"}});
errors++;
}
}
if(data.instance !== undefined){
if(typeof data.instance !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/instance",schemaPath:"#/$defs/errorFilter/properties/instance/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/title",schemaPath:"#/$defs/errorFilter/properties/title/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.detail !== undefined){
if(typeof data.detail !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/detail",schemaPath:"#/$defs/errorFilter/properties/detail/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.details !== undefined){
if(typeof data.details !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/details",schemaPath:"#/$defs/errorFilter/properties/details/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/errorFilter/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate121.errors = vErrors;
return errors === 0;
}


function validate124(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((((key0 === "when") || (key0 === "exceptWhen")) || (key0 === "delay")) || (key0 === "backoff")) || (key0 === "limit")) || (key0 === "jitter"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/retry/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.when !== undefined){
if(typeof data.when !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/when",schemaPath:"#/$defs/retry/properties/when/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.exceptWhen !== undefined){
if(typeof data.exceptWhen !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/exceptWhen",schemaPath:"#/$defs/retry/properties/exceptWhen/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.delay !== undefined){
if(!(validate54(data.delay, {instancePath:instancePath+"/delay",parentData:data,parentDataProperty:"delay",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.backoff !== undefined){
let data3 = data.backoff;
const _errs9 = errors;
let valid1 = false;
let passing0 = null;
const _errs10 = errors;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.constant === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/backoff",schemaPath:"#/$defs/retry/properties/backoff/oneOf/0/required",keyword:"required",params:{missingProperty: "constant"}});
errors++;
}
}
var _valid0 = _errs10 === errors;
if(_valid0){
valid1 = true;
passing0 = 0;
}
const _errs11 = errors;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.linear === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/backoff",schemaPath:"#/$defs/retry/properties/backoff/oneOf/1/required",keyword:"required",params:{missingProperty: "linear"}});
errors++;
}
}
var _valid0 = _errs11 === errors;
if(_valid0 && valid1){
valid1 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid1 = true;
passing0 = 1;
}
const _errs12 = errors;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.exponential === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/backoff",schemaPath:"#/$defs/retry/properties/backoff/oneOf/2/required",keyword:"required",params:{missingProperty: "exponential"}});
errors++;
}
}
var _valid0 = _errs12 === errors;
if(_valid0 && valid1){
valid1 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid1 = true;
passing0 = 2;
}
}
}
if(!valid1){
vErrors = add(vErrors, {instancePath:instancePath+"/backoff",schemaPath:"#/$defs/retry/properties/backoff/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}});
errors++;
}
else {
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
}
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key1 in data3){
if(!(((key1 === "constant") || (key1 === "linear")) || (key1 === "exponential"))){
vErrors = add(vErrors, {instancePath:instancePath+"/backoff",schemaPath:"#/$defs/retry/properties/backoff/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data3.constant !== undefined){
let data4 = data3.constant;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
vErrors = add(vErrors, {instancePath:instancePath+"/backoff/constant",schemaPath:"#/$defs/retry/properties/backoff/properties/constant/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data3.linear !== undefined){
let data5 = data3.linear;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
vErrors = add(vErrors, {instancePath:instancePath+"/backoff/linear",schemaPath:"#/$defs/retry/properties/backoff/properties/linear/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data3.exponential !== undefined){
let data6 = data3.exponential;
if(!(data6 && typeof data6 == "object" && !Array.isArray(data6))){
vErrors = add(vErrors, {instancePath:instancePath+"/backoff/exponential",schemaPath:"#/$defs/retry/properties/backoff/properties/exponential/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/backoff",schemaPath:"#/$defs/retry/properties/backoff/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.limit !== undefined){
let data7 = data.limit;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key2 in data7){
if(!((key2 === "attempt") || (key2 === "duration"))){
vErrors = add(vErrors, {instancePath:instancePath+"/limit",schemaPath:"#/$defs/retry/properties/limit/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data7.attempt !== undefined){
let data8 = data7.attempt;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key3 in data8){
if(!((key3 === "count") || (key3 === "duration"))){
vErrors = add(vErrors, {instancePath:instancePath+"/limit/attempt",schemaPath:"#/$defs/retry/properties/limit/properties/attempt/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}});
errors++;
}
}
if(data8.count !== undefined){
let data9 = data8.count;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
vErrors = add(vErrors, {instancePath:instancePath+"/limit/attempt/count",schemaPath:"#/$defs/retry/properties/limit/properties/attempt/properties/count/type",keyword:"type",params:{type: "integer"}});
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 0 || isNaN(data9)){
vErrors = add(vErrors, {instancePath:instancePath+"/limit/attempt/count",schemaPath:"#/$defs/retry/properties/limit/properties/attempt/properties/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}});
errors++;
}
}
}
if(data8.duration !== undefined){
if(!(validate54(data8.duration, {instancePath:instancePath+"/limit/attempt/duration",parentData:data8,parentDataProperty:"duration",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/limit/attempt",schemaPath:"#/$defs/retry/properties/limit/properties/attempt/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data7.duration !== undefined){
if(!(validate54(data7.duration, {instancePath:instancePath+"/limit/duration",parentData:data7,parentDataProperty:"duration",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/limit",schemaPath:"#/$defs/retry/properties/limit/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.jitter !== undefined){
let data12 = data.jitter;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.from === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/jitter",schemaPath:"#/$defs/retry/properties/jitter/required",keyword:"required",params:{missingProperty: "from"}});
errors++;
}
if(data12.to === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/jitter",schemaPath:"#/$defs/retry/properties/jitter/required",keyword:"required",params:{missingProperty: "to"}});
errors++;
}
for(const key4 in data12){
if(!((key4 === "from") || (key4 === "to"))){
vErrors = add(vErrors, {instancePath:instancePath+"/jitter",schemaPath:"#/$defs/retry/properties/jitter/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}});
errors++;
}
}
if(data12.from !== undefined){
if(!(validate54(data12.from, {instancePath:instancePath+"/jitter/from",parentData:data12,parentDataProperty:"from",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data12.to !== undefined){
if(!(validate54(data12.to, {instancePath:instancePath+"/jitter/to",parentData:data12,parentDataProperty:"to",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/jitter",schemaPath:"#/$defs/retry/properties/jitter/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/retry/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate124.errors = vErrors;
return errors === 0;
}


function validate123(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if((!(data && typeof data == "object" && !Array.isArray(data))) && (typeof data !== "string")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/retryOrName/type",keyword:"type",params:{}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs4 = errors;
if(!(validate124(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate124.errors : vErrors.concat(validate124.errors);
errors = vErrors.length;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs5 = errors;
if(typeof data !== "string"){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/retryOrName/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid0 = _errs5 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/retryOrName/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate123.errors = vErrors;
return errors === 0;
}


function validate120(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.try === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/tryTask/required",keyword:"required",params:{missingProperty: "try"}});
errors++;
}
if(data.catch === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/tryTask/required",keyword:"required",params:{missingProperty: "catch"}});
errors++;
}
for(const key0 in data){
if(!(func0.call(schema46.properties, key0))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/tryTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.try !== undefined){
if(!(wrapper0.validate(data.try, {instancePath:instancePath+"/try",parentData:data,parentDataProperty:"try",rootData}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.catch !== undefined){
let data1 = data.catch;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key1 in data1){
if(!(((((((key1 === "errors") || (key1 === "as")) || (key1 === "when")) || (key1 === "exceptWhen")) || (key1 === "retry")) || (key1 === "do")) || (key1 === "then"))){
vErrors = add(vErrors, {instancePath:instancePath+"/catch",schemaPath:"#/$defs/tryTask/properties/catch/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data1.errors !== undefined){
let data2 = data1.errors;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
if(!(key2 === "with")){
vErrors = add(vErrors, {instancePath:instancePath+"/catch/errors",schemaPath:"#/$defs/tryTask/properties/catch/properties/errors/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data2.with !== undefined){
if(!(validate121(data2.with, {instancePath:instancePath+"/catch/errors/with",parentData:data2,parentDataProperty:"with",rootData}))){
vErrors = vErrors === null ? validate121.errors : vErrors.concat(validate121.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/catch/errors",schemaPath:"#/$defs/tryTask/properties/catch/properties/errors/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data1.as !== undefined){
if(typeof data1.as !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/catch/as",schemaPath:"#/$defs/tryTask/properties/catch/properties/as/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data1.when !== undefined){
if(typeof data1.when !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/catch/when",schemaPath:"#/$defs/tryTask/properties/catch/properties/when/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data1.exceptWhen !== undefined){
if(typeof data1.exceptWhen !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/catch/exceptWhen",schemaPath:"#/$defs/tryTask/properties/catch/properties/exceptWhen/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data1.retry !== undefined){
if(!(validate123(data1.retry, {instancePath:instancePath+"/catch/retry",parentData:data1,parentDataProperty:"retry",rootData}))){
vErrors = vErrors === null ? validate123.errors : vErrors.concat(validate123.errors);
errors = vErrors.length;
}
}
if(data1.do !== undefined){
if(!(wrapper0.validate(data1.do, {instancePath:instancePath+"/catch/do",parentData:data1,parentDataProperty:"do",rootData}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data1.then !== undefined){
if(typeof data1.then !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/catch/then",schemaPath:"#/$defs/tryTask/properties/catch/properties/then/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/catch",schemaPath:"#/$defs/tryTask/properties/catch/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/tryTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate120.errors = vErrors;
return errors === 0;
}


function validate133(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.wait === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/waitTask/required",keyword:"required",params:{missingProperty: "wait"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "wait") || (key0 === "if")) || (key0 === "input")) || (key0 === "output")) || (key0 === "export")) || (key0 === "timeout")) || (key0 === "then")) || (key0 === "metadata"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/waitTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.wait !== undefined){
if(!(validate54(data.wait, {instancePath:instancePath+"/wait",parentData:data,parentDataProperty:"wait",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/waitTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate133.errors = vErrors;
return errors === 0;
}


function validate136(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.do === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/doTask/required",keyword:"required",params:{missingProperty: "do"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "do") || (key0 === "if")) || (key0 === "input")) || (key0 === "output")) || (key0 === "export")) || (key0 === "timeout")) || (key0 === "then")) || (key0 === "metadata"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/doTask/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.do !== undefined){
if(!(wrapper0.validate(data.do, {instancePath:instancePath+"/do",parentData:data,parentDataProperty:"do",rootData}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/doTask/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate136.errors = vErrors;
return errors === 0;
}


function validate142(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.after === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/timeout/required",keyword:"required",params:{missingProperty: "after"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "after")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/timeout/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.after !== undefined){
if(!(validate54(data.after, {instancePath:instancePath+"/after",parentData:data,parentDataProperty:"after",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/timeout/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate142.errors = vErrors;
return errors === 0;
}


function validate141(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if((!(data && typeof data == "object" && !Array.isArray(data))) && (typeof data !== "string")){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/timeoutOrName/type",keyword:"type",params:{}});
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {});
errors++;
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs4 = errors;
if(!(validate142(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate142.errors : vErrors.concat(validate142.errors);
errors = vErrors.length;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs5 = errors;
if(typeof data !== "string"){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/timeoutOrName/else/type",keyword:"type",params:{type: "string"}});
errors++;
}
var _valid0 = _errs5 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/timeoutOrName/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
validate141.errors = vErrors;
return errors === 0;
}


function validate146(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!(data && typeof data == "object" && !Array.isArray(data))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/metadata/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate146.errors = vErrors;
return errors === 0;
}


function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.call === undefined) && (missing0 = "call")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(!(validate40(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate40.errors : vErrors.concat(validate40.errors);
errors = vErrors.length;
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs4 = errors;
const _errs5 = errors;
let valid1 = true;
const _errs6 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if((data.emit === undefined) && (missing1 = "emit")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid1 = _errs6 === errors;
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
let ifClause1;
if(_valid1){
const _errs7 = errors;
if(!(validate75(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate75.errors : vErrors.concat(validate75.errors);
errors = vErrors.length;
}
var _valid1 = _errs7 === errors;
valid1 = _valid1;
ifClause1 = "then";
}
else {
const _errs8 = errors;
const _errs9 = errors;
let valid2 = true;
const _errs10 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if((data.for === undefined) && (missing2 = "for")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid2 = _errs10 === errors;
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
let ifClause2;
if(_valid2){
const _errs11 = errors;
if(!(validate79(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
errors = vErrors.length;
}
var _valid2 = _errs11 === errors;
valid2 = _valid2;
ifClause2 = "then";
}
else {
const _errs12 = errors;
const _errs13 = errors;
let valid3 = true;
const _errs14 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing3;
if((data.fork === undefined) && (missing3 = "fork")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid3 = _errs14 === errors;
errors = _errs13;
if(vErrors !== null){
if(_errs13){
vErrors.length = _errs13;
}
else {
vErrors = null;
}
}
let ifClause3;
if(_valid3){
const _errs15 = errors;
if(!(validate81(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate81.errors : vErrors.concat(validate81.errors);
errors = vErrors.length;
}
var _valid3 = _errs15 === errors;
valid3 = _valid3;
ifClause3 = "then";
}
else {
const _errs16 = errors;
const _errs17 = errors;
let valid4 = true;
const _errs18 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing4;
if((data.listen === undefined) && (missing4 = "listen")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid4 = _errs18 === errors;
errors = _errs17;
if(vErrors !== null){
if(_errs17){
vErrors.length = _errs17;
}
else {
vErrors = null;
}
}
let ifClause4;
if(_valid4){
const _errs19 = errors;
if(!(validate83(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate83.errors : vErrors.concat(validate83.errors);
errors = vErrors.length;
}
var _valid4 = _errs19 === errors;
valid4 = _valid4;
ifClause4 = "then";
}
else {
const _errs20 = errors;
const _errs21 = errors;
let valid5 = true;
const _errs22 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing5;
if((data.raise === undefined) && (missing5 = "raise")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid5 = _errs22 === errors;
errors = _errs21;
if(vErrors !== null){
if(_errs21){
vErrors.length = _errs21;
}
else {
vErrors = null;
}
}
let ifClause5;
if(_valid5){
const _errs23 = errors;
if(!(validate97(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate97.errors : vErrors.concat(validate97.errors);
errors = vErrors.length;
}
var _valid5 = _errs23 === errors;
valid5 = _valid5;
ifClause5 = "then";
}
else {
const _errs24 = errors;
const _errs25 = errors;
let valid6 = true;
const _errs26 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing6;
if((data.run === undefined) && (missing6 = "run")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid6 = _errs26 === errors;
errors = _errs25;
if(vErrors !== null){
if(_errs25){
vErrors.length = _errs25;
}
else {
vErrors = null;
}
}
let ifClause6;
if(_valid6){
const _errs27 = errors;
if(!(validate102(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate102.errors : vErrors.concat(validate102.errors);
errors = vErrors.length;
}
var _valid6 = _errs27 === errors;
valid6 = _valid6;
ifClause6 = "then";
}
else {
const _errs28 = errors;
const _errs29 = errors;
let valid7 = true;
const _errs30 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing7;
if((data.set === undefined) && (missing7 = "set")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid7 = _errs30 === errors;
errors = _errs29;
if(vErrors !== null){
if(_errs29){
vErrors.length = _errs29;
}
else {
vErrors = null;
}
}
let ifClause7;
if(_valid7){
const _errs31 = errors;
if(!(validate116(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var _valid7 = _errs31 === errors;
valid7 = _valid7;
ifClause7 = "then";
}
else {
const _errs32 = errors;
const _errs33 = errors;
let valid8 = true;
const _errs34 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing8;
if((data.switch === undefined) && (missing8 = "switch")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid8 = _errs34 === errors;
errors = _errs33;
if(vErrors !== null){
if(_errs33){
vErrors.length = _errs33;
}
else {
vErrors = null;
}
}
let ifClause8;
if(_valid8){
const _errs35 = errors;
if(!(validate118(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var _valid8 = _errs35 === errors;
valid8 = _valid8;
ifClause8 = "then";
}
else {
const _errs36 = errors;
const _errs37 = errors;
let valid9 = true;
const _errs38 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing9;
if((data.try === undefined) && (missing9 = "try")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid9 = _errs38 === errors;
errors = _errs37;
if(vErrors !== null){
if(_errs37){
vErrors.length = _errs37;
}
else {
vErrors = null;
}
}
let ifClause9;
if(_valid9){
const _errs39 = errors;
if(!(validate120(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate120.errors : vErrors.concat(validate120.errors);
errors = vErrors.length;
}
var _valid9 = _errs39 === errors;
valid9 = _valid9;
ifClause9 = "then";
}
else {
const _errs40 = errors;
const _errs41 = errors;
let valid10 = true;
const _errs42 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing10;
if((data.wait === undefined) && (missing10 = "wait")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid10 = _errs42 === errors;
errors = _errs41;
if(vErrors !== null){
if(_errs41){
vErrors.length = _errs41;
}
else {
vErrors = null;
}
}
let ifClause10;
if(_valid10){
const _errs43 = errors;
if(!(validate133(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate133.errors : vErrors.concat(validate133.errors);
errors = vErrors.length;
}
var _valid10 = _errs43 === errors;
valid10 = _valid10;
ifClause10 = "then";
}
else {
const _errs44 = errors;
const _errs45 = errors;
let valid11 = true;
const _errs46 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing11;
if((data.do === undefined) && (missing11 = "do")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid11 = _errs46 === errors;
errors = _errs45;
if(vErrors !== null){
if(_errs45){
vErrors.length = _errs45;
}
else {
vErrors = null;
}
}
let ifClause11;
if(_valid11){
const _errs47 = errors;
if(!(validate136(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate136.errors : vErrors.concat(validate136.errors);
errors = vErrors.length;
}
var _valid11 = _errs47 === errors;
valid11 = _valid11;
ifClause11 = "then";
}
else {
const _errs48 = errors;
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/else/else/else/else/else/else/else/else/else/not",keyword:"not",params:{}});
errors++;
var _valid11 = _errs48 === errors;
valid11 = _valid11;
ifClause11 = "else";
}
if(!valid11){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/else/else/else/else/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause11}});
errors++;
}
var _valid10 = _errs44 === errors;
valid10 = _valid10;
ifClause10 = "else";
}
if(!valid10){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/else/else/else/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause10}});
errors++;
}
var _valid9 = _errs40 === errors;
valid9 = _valid9;
ifClause9 = "else";
}
if(!valid9){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/else/else/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause9}});
errors++;
}
var _valid8 = _errs36 === errors;
valid8 = _valid8;
ifClause8 = "else";
}
if(!valid8){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/else/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause8}});
errors++;
}
var _valid7 = _errs32 === errors;
valid7 = _valid7;
ifClause7 = "else";
}
if(!valid7){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause7}});
errors++;
}
var _valid6 = _errs28 === errors;
valid6 = _valid6;
ifClause6 = "else";
}
if(!valid6){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause6}});
errors++;
}
var _valid5 = _errs24 === errors;
valid5 = _valid5;
ifClause5 = "else";
}
if(!valid5){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause5}});
errors++;
}
var _valid4 = _errs20 === errors;
valid4 = _valid4;
ifClause4 = "else";
}
if(!valid4){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause4}});
errors++;
}
var _valid3 = _errs16 === errors;
valid3 = _valid3;
ifClause3 = "else";
}
if(!valid3){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/else/if",keyword:"if",params:{failingKeyword: ifClause3}});
errors++;
}
var _valid2 = _errs12 === errors;
valid2 = _valid2;
ifClause2 = "else";
}
if(!valid2){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/else/if",keyword:"if",params:{failingKeyword: ifClause2}});
errors++;
}
var _valid1 = _errs8 === errors;
valid1 = _valid1;
ifClause1 = "else";
}
if(!valid1){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/else/if",keyword:"if",params:{failingKeyword: ifClause1}});
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/if",keyword:"if",params:{failingKeyword: ifClause0}});
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.if !== undefined){
if(typeof data.if !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/if",schemaPath:"#/$defs/task/properties/if/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.input !== undefined){
if(!(validate1(data.input, {instancePath:instancePath+"/input",parentData:data,parentDataProperty:"input",rootData}))){
vErrors = vErrors === null ? validate1.errors : vErrors.concat(validate1.errors);
errors = vErrors.length;
}
}
if(data.output !== undefined){
if(!(validate57(data.output, {instancePath:instancePath+"/output",parentData:data,parentDataProperty:"output",rootData}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
}
if(data.export !== undefined){
if(!(validate60(data.export, {instancePath:instancePath+"/export",parentData:data,parentDataProperty:"export",rootData}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
}
if(data.timeout !== undefined){
if(!(validate141(data.timeout, {instancePath:instancePath+"/timeout",parentData:data,parentDataProperty:"timeout",rootData}))){
vErrors = vErrors === null ? validate141.errors : vErrors.concat(validate141.errors);
errors = vErrors.length;
}
}
if(data.then !== undefined){
if(typeof data.then !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/then",schemaPath:"#/$defs/task/properties/then/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data.metadata !== undefined){
if(!(validate146(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData}))){
vErrors = vErrors === null ? validate146.errors : vErrors.concat(validate146.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/task/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate39.errors = vErrors;
return errors === 0;
}


function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(Array.isArray(data)){
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(Object.keys(data0).length > 1){
vErrors = add(vErrors, {instancePath:instancePath+"/" + i0,schemaPath:"#/$defs/tasks/items/maxProperties",keyword:"maxProperties",params:{limit: 1}});
errors++;
}
if(Object.keys(data0).length < 1){
vErrors = add(vErrors, {instancePath:instancePath+"/" + i0,schemaPath:"#/$defs/tasks/items/minProperties",keyword:"minProperties",params:{limit: 1}});
errors++;
}
for(const key0 in data0){
if(!(validate39(data0[key0], {instancePath:instancePath+"/" + i0+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data0,parentDataProperty:key0,rootData}))){
vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/" + i0,schemaPath:"#/$defs/tasks/items/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/$defs/tasks/type",keyword:"type",params:{type: "array"}});
errors++;
}
validate38.errors = vErrors;
return errors === 0;
}


function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "document"}});
errors++;
}
if(data.do === undefined){
vErrors = add(vErrors, {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "do"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "document") || (key0 === "input")) || (key0 === "use")) || (key0 === "do")) || (key0 === "timeout")) || (key0 === "output")) || (key0 === "schedule")) || (key0 === "evaluate"))){
vErrors = add(vErrors, {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.document !== undefined){
let data0 = data.document;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.dsl === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/document",schemaPath:"#/properties/document/required",keyword:"required",params:{missingProperty: "dsl"}});
errors++;
}
if(data0.namespace === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/document",schemaPath:"#/properties/document/required",keyword:"required",params:{missingProperty: "namespace"}});
errors++;
}
if(data0.name === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/document",schemaPath:"#/properties/document/required",keyword:"required",params:{missingProperty: "name"}});
errors++;
}
if(data0.version === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/document",schemaPath:"#/properties/document/required",keyword:"required",params:{missingProperty: "version"}});
errors++;
}
for(const key1 in data0){
if(!((((((((key1 === "dsl") || (key1 === "namespace")) || (key1 === "name")) || (key1 === "version")) || (key1 === "title")) || (key1 === "summary")) || (key1 === "tags")) || (key1 === "metadata"))){
vErrors = add(vErrors, {instancePath:instancePath+"/document",schemaPath:"#/properties/document/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data0.dsl !== undefined){
let data1 = data0.dsl;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
vErrors = add(vErrors, {instancePath:instancePath+"/document/dsl",schemaPath:"#/properties/document/properties/dsl/pattern",keyword:"pattern",params:{pattern: "^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/document/dsl",schemaPath:"#/properties/document/properties/dsl/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.namespace !== undefined){
let data2 = data0.namespace;
if(typeof data2 === "string"){
if(!pattern1.test(data2)){
vErrors = add(vErrors, {instancePath:instancePath+"/document/namespace",schemaPath:"#/properties/document/properties/namespace/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/document/namespace",schemaPath:"#/properties/document/properties/namespace/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.name !== undefined){
let data3 = data0.name;
if(typeof data3 === "string"){
if(!pattern1.test(data3)){
vErrors = add(vErrors, {instancePath:instancePath+"/document/name",schemaPath:"#/properties/document/properties/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/document/name",schemaPath:"#/properties/document/properties/name/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.version !== undefined){
let data4 = data0.version;
if(typeof data4 === "string"){
if(!pattern0.test(data4)){
vErrors = add(vErrors, {instancePath:instancePath+"/document/version",schemaPath:"#/properties/document/properties/version/pattern",keyword:"pattern",params:{pattern: "^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$"}});
errors++;
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/document/version",schemaPath:"#/properties/document/properties/version/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.title !== undefined){
if(typeof data0.title !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/document/title",schemaPath:"#/properties/document/properties/title/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.summary !== undefined){
if(typeof data0.summary !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/document/summary",schemaPath:"#/properties/document/properties/summary/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data0.tags !== undefined){
let data7 = data0.tags;
if(!(data7 && typeof data7 == "object" && !Array.isArray(data7))){
vErrors = add(vErrors, {instancePath:instancePath+"/document/tags",schemaPath:"#/properties/document/properties/tags/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data0.metadata !== undefined){
let data8 = data0.metadata;
if(!(data8 && typeof data8 == "object" && !Array.isArray(data8))){
vErrors = add(vErrors, {instancePath:instancePath+"/document/metadata",schemaPath:"#/properties/document/properties/metadata/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/document",schemaPath:"#/properties/document/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.input !== undefined){
if(!(validate1(data.input, {instancePath:instancePath+"/input",parentData:data,parentDataProperty:"input",rootData}))){
vErrors = vErrors === null ? validate1.errors : vErrors.concat(validate1.errors);
errors = vErrors.length;
}
}
if(data.use !== undefined){
let data10 = data.use;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
for(const key2 in data10){
if(!((((((((key2 === "authentications") || (key2 === "catalogs")) || (key2 === "errors")) || (key2 === "extensions")) || (key2 === "functions")) || (key2 === "retries")) || (key2 === "secrets")) || (key2 === "timeouts"))){
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/properties/use/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}});
errors++;
}
}
if(data10.authentications !== undefined){
let data11 = data10.authentications;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
for(const key3 in data11){
if(!(validate26(data11[key3], {instancePath:instancePath+"/use/authentications/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data11,parentDataProperty:key3,rootData}))){
vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/authentications",schemaPath:"#/properties/use/properties/authentications/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data10.catalogs !== undefined){
let data13 = data10.catalogs;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
for(const key4 in data13){
if(!(validate33(data13[key4], {instancePath:instancePath+"/use/catalogs/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data13,parentDataProperty:key4,rootData}))){
vErrors = vErrors === null ? validate33.errors : vErrors.concat(validate33.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/catalogs",schemaPath:"#/properties/use/properties/catalogs/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data10.errors !== undefined){
let data15 = data10.errors;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
for(const key5 in data15){
if(!(validate36(data15[key5], {instancePath:instancePath+"/use/errors/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data15,parentDataProperty:key5,rootData}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/errors",schemaPath:"#/properties/use/properties/errors/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data10.extensions !== undefined){
let data17 = data10.extensions;
if(Array.isArray(data17)){
const len0 = data17.length;
for(let i0=0; i0<len0; i0++){
let data18 = data17[i0];
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(Object.keys(data18).length > 1){
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions/" + i0,schemaPath:"#/properties/use/properties/extensions/items/maxProperties",keyword:"maxProperties",params:{limit: 1}});
errors++;
}
if(Object.keys(data18).length < 1){
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions/" + i0,schemaPath:"#/properties/use/properties/extensions/items/minProperties",keyword:"minProperties",params:{limit: 1}});
errors++;
}
for(const key6 in data18){
let data19 = data18[key6];
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if(data19.extend === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions/" + i0+"/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/use/properties/extensions/items/additionalProperties/required",keyword:"required",params:{missingProperty: "extend"}});
errors++;
}
for(const key7 in data19){
if(!((((key7 === "extend") || (key7 === "when")) || (key7 === "before")) || (key7 === "after"))){
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions/" + i0+"/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/use/properties/extensions/items/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}});
errors++;
}
}
if(data19.extend !== undefined){
let data20 = data19.extend;
if(typeof data20 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions/" + i0+"/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/extend",schemaPath:"#/properties/use/properties/extensions/items/additionalProperties/properties/extend/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((((((((((((data20 === "call") || (data20 === "composite")) || (data20 === "emit")) || (data20 === "for")) || (data20 === "listen")) || (data20 === "raise")) || (data20 === "run")) || (data20 === "set")) || (data20 === "switch")) || (data20 === "try")) || (data20 === "wait")) || (data20 === "all")) || (data20 === "extension"))){
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions/" + i0+"/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/extend",schemaPath:"#/properties/use/properties/extensions/items/additionalProperties/properties/extend/enum",keyword:"enum",params:{}});
errors++;
}
}
if(data19.when !== undefined){
if(typeof data19.when !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions/" + i0+"/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/when",schemaPath:"#/properties/use/properties/extensions/items/additionalProperties/properties/when/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data19.before !== undefined){
if(!(validate38(data19.before, {instancePath:instancePath+"/use/extensions/" + i0+"/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/before",parentData:data19,parentDataProperty:"before",rootData}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
}
if(data19.after !== undefined){
if(!(validate38(data19.after, {instancePath:instancePath+"/use/extensions/" + i0+"/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/after",parentData:data19,parentDataProperty:"after",rootData}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions/" + i0+"/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/use/properties/extensions/items/additionalProperties/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions/" + i0,schemaPath:"#/properties/use/properties/extensions/items/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/extensions",schemaPath:"#/properties/use/properties/extensions/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data10.functions !== undefined){
let data24 = data10.functions;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
for(const key8 in data24){
if(!(validate39(data24[key8], {instancePath:instancePath+"/use/functions/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data24,parentDataProperty:key8,rootData}))){
vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/functions",schemaPath:"#/properties/use/properties/functions/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data10.retries !== undefined){
let data26 = data10.retries;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
for(const key9 in data26){
if(!(validate124(data26[key9], {instancePath:instancePath+"/use/retries/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data26,parentDataProperty:key9,rootData}))){
vErrors = vErrors === null ? validate124.errors : vErrors.concat(validate124.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/retries",schemaPath:"#/properties/use/properties/retries/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data10.secrets !== undefined){
let data28 = data10.secrets;
if(Array.isArray(data28)){
const len1 = data28.length;
for(let i1=0; i1<len1; i1++){
if(typeof data28[i1] !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/use/secrets/" + i1,schemaPath:"#/properties/use/properties/secrets/items/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/secrets",schemaPath:"#/properties/use/properties/secrets/type",keyword:"type",params:{type: "array"}});
errors++;
}
}
if(data10.timeouts !== undefined){
let data30 = data10.timeouts;
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
for(const key10 in data30){
if(!(validate142(data30[key10], {instancePath:instancePath+"/use/timeouts/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data30,parentDataProperty:key10,rootData}))){
vErrors = vErrors === null ? validate142.errors : vErrors.concat(validate142.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use/timeouts",schemaPath:"#/properties/use/properties/timeouts/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/use",schemaPath:"#/properties/use/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.do !== undefined){
if(!(validate38(data.do, {instancePath:instancePath+"/do",parentData:data,parentDataProperty:"do",rootData}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
}
if(data.timeout !== undefined){
if(!(validate141(data.timeout, {instancePath:instancePath+"/timeout",parentData:data,parentDataProperty:"timeout",rootData}))){
vErrors = vErrors === null ? validate141.errors : vErrors.concat(validate141.errors);
errors = vErrors.length;
}
}
if(data.output !== undefined){
if(!(validate57(data.output, {instancePath:instancePath+"/output",parentData:data,parentDataProperty:"output",rootData}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
}
if(data.schedule !== undefined){
let data35 = data.schedule;
const _errs74 = errors;
let valid15 = true;
const _errs75 = errors;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
let missing0;
if((data35.read === undefined) && (missing0 = "read")){
vErrors = add(vErrors, {});
errors++;
}
}
var _valid0 = _errs75 === errors;
errors = _errs74;
if(vErrors !== null){
if(_errs74){
vErrors.length = _errs74;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs76 = errors;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.on === undefined){
vErrors = add(vErrors, {instancePath:instancePath+"/schedule",schemaPath:"#/properties/schedule/then/required",keyword:"required",params:{missingProperty: "on"}});
errors++;
}
}
var _valid0 = _errs76 === errors;
valid15 = _valid0;
}
if(!valid15){
vErrors = add(vErrors, {instancePath:instancePath+"/schedule",schemaPath:"#/properties/schedule/if",keyword:"if",params:{failingKeyword: "then"}});
errors++;
}
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
for(const key11 in data35){
if(!(((((key11 === "every") || (key11 === "cron")) || (key11 === "after")) || (key11 === "on")) || (key11 === "read"))){
vErrors = add(vErrors, {instancePath:instancePath+"/schedule",schemaPath:"#/properties/schedule/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}});
errors++;
}
}
if(data35.every !== undefined){
if(!(validate54(data35.every, {instancePath:instancePath+"/schedule/every",parentData:data35,parentDataProperty:"every",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data35.cron !== undefined){
if(typeof data35.cron !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/schedule/cron",schemaPath:"#/properties/schedule/properties/cron/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data35.after !== undefined){
if(!(validate54(data35.after, {instancePath:instancePath+"/schedule/after",parentData:data35,parentDataProperty:"after",rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data35.on !== undefined){
if(!(validate84(data35.on, {instancePath:instancePath+"/schedule/on",parentData:data35,parentDataProperty:"on",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
if(data35.read !== undefined){
let data40 = data35.read;
if(typeof data40 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/schedule/read",schemaPath:"#/properties/schedule/properties/read/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!(((data40 === "data") || (data40 === "envelope")) || (data40 === "raw"))){
vErrors = add(vErrors, {instancePath:instancePath+"/schedule/read",schemaPath:"#/properties/schedule/properties/read/enum",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/schedule",schemaPath:"#/properties/schedule/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
if(data.evaluate !== undefined){
let data41 = data.evaluate;
if(data41 && typeof data41 == "object" && !Array.isArray(data41)){
for(const key12 in data41){
if(!((key12 === "language") || (key12 === "mode"))){
vErrors = add(vErrors, {instancePath:instancePath+"/evaluate",schemaPath:"#/properties/evaluate/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}});
errors++;
}
}
if(data41.language !== undefined){
if(typeof data41.language !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/evaluate/language",schemaPath:"#/properties/evaluate/properties/language/type",keyword:"type",params:{type: "string"}});
errors++;
}
}
if(data41.mode !== undefined){
let data43 = data41.mode;
if(typeof data43 !== "string"){
vErrors = add(vErrors, {instancePath:instancePath+"/evaluate/mode",schemaPath:"#/properties/evaluate/properties/mode/type",keyword:"type",params:{type: "string"}});
errors++;
}
if(!((data43 === "strict") || (data43 === "loose"))){
vErrors = add(vErrors, {instancePath:instancePath+"/evaluate/mode",schemaPath:"#/properties/evaluate/properties/mode/enum",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath:instancePath+"/evaluate",schemaPath:"#/properties/evaluate/type",keyword:"type",params:{type: "object"}});
errors++;
}
}
}
else {
vErrors = add(vErrors, {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}});
errors++;
}
validate0.errors = vErrors;
return errors === 0;
}
